import { expect, test } from "bun:test";
import fc from "fast-check";
import { defaults } from "../../src/config/defaults.ts";
import type { ModelFault } from "../../src/contract/delta.ts";
import { retryDelay } from "../../src/model/retry.ts";

const fault = (kind: ModelFault["kind"], retryAfterMs: number | null = null): ModelFault => ({ kind, retryAfterMs });

for (const kind of ["connection", "busy", "idle", "protocol"] as const) {
  test(`[MD-4] a failure of kind ${kind} is tried again`, () => {
    expect(retryDelay(fault(kind), 1, 5, 0.5)).toBe(500);
  });
}

for (const kind of ["auth", "bad_request", "overflow", "cancelled"] as const) {
  test(`[MD-4] a failure of kind ${kind} is never tried again, not even when the provider says when`, () => {
    expect([retryDelay(fault(kind), 1, 5, 0.5), retryDelay(fault(kind, 1_000), 1, 5, 0.5)]).toEqual([null, null]);
  });
}

test("[MD-4] the wait doubles from 500 ms up to 30 s", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 2_000].map((attempt) => retryDelay(fault("busy"), attempt, 9_999, 0.5));
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("[MD-4] with the attempts that are the default, an outage of a minute and a half is survived, whatever the jitter", () => {
  for (const kind of ["connection", "busy"] as const) {
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const wait = retryDelay(fault(kind), attempt, defaults.model_attempts, 0);
      if (wait === null) break;
      waited += wait;
    }
    expect(waited).toBeGreaterThanOrEqual(90_000);
  }
});

test("[MD-4] what takes minutes or costs a reply each time is tried five times at most", () => {
  const attempts = (kind: ModelFault["kind"]) =>
    Array.from({ length: 20 }, (_, at) => at + 1).filter((at) => retryDelay(fault(kind), at, 20, 0.5) !== null).length;
  expect([attempts("idle"), attempts("protocol"), attempts("connection")]).toEqual([4, 4, 19]);
});

test("[MD-4] the last allowed attempt is not followed by another", () => {
  expect([1, 2, 3, 4].map((attempt) => retryDelay(fault("busy"), attempt, 3, 0.5))).toEqual([500, 1_000, null, null]);
});

test("[MD-4] jitter stays within a quarter of the wait and reaches both sides", () => {
  expect([retryDelay(fault("busy"), 1, 5, 0), retryDelay(fault("busy"), 1, 5, 0.999999)]).toEqual([375, 625]);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (attempt, random) => {
        const middle = Math.min(30_000, 500 * 2 ** (attempt - 1));
        const wait = retryDelay(fault("connection"), attempt, 100, random);
        expect(Math.abs(wait! - middle)).toBeLessThanOrEqual(middle * 0.25 + 1);
      },
    ),
  );
});

test("[MD-4] Retry-After is waited for exactly, up to 10 minutes; a longer one means no retry", () => {
  const waits = [0, 1, 7_000, 600_000, 600_001].map((after) => retryDelay(fault("busy", after), 1, 5, 0.9));
  expect(waits).toEqual([0, 1, 7_000, 600_000, null]);
});
