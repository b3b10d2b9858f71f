import { expect, test } from "bun:test";
import fc from "fast-check";
import { defaults } from "../../../src/config/defaults.ts";
import type { ModelFault } from "../../../src/contract/delta.ts";
import { type RetryLimits, retryDelay } from "../../../src/model/fault/retry.ts";

const fault = (kind: ModelFault["kind"], retryAfterMs: number | null = null): ModelFault => ({ kind, retryAfterMs });
const long: RetryLimits = { maxAttempts: 100_000, outageMs: 86_400_000 };
const usual: RetryLimits = { maxAttempts: defaults.model_attempts, outageMs: defaults.model_outage_s * 1_000 };
const delay = (one: ModelFault, failures: number, limits = long, random = 0.5, waitedMs = 0) =>
  retryDelay(one, { failures, waitedMs }, limits, random);

/** How often it is tried, and how long is waited between. */
function outlasted(one: ModelFault, limits: RetryLimits, random: number) {
  const waits: number[] = [];
  for (let waitedMs = 0; waits.length < 100_000; ) {
    const wait = delay(one, waits.length + 1, limits, random, waitedMs);
    if (wait === null) return { attempts: waits.length + 1, waitedMs, waits };
    waits.push(wait);
    waitedMs += wait;
  }
  throw new Error("never over");
}

for (const kind of ["connection", "busy", "idle", "protocol"] as const) {
  test(`[MD-4] a failure of kind ${kind} is tried again`, () => {
    expect(delay(fault(kind), 1)).toBe(500);
  });
}

for (const kind of ["auth", "bad_request", "overflow", "cancelled"] as const) {
  test(`[MD-4] a failure of kind ${kind} is never tried again, not even when the provider says when`, () => {
    expect([delay(fault(kind), 1), delay(fault(kind, 1_000), 1)]).toEqual([null, null]);
  });
}

test("[MD-4] the wait doubles from 500 ms up to 30 s, and up to a minute for a provider that is busy", () => {
  const waits = (kind: ModelFault["kind"]) => [1, 2, 3, 4, 5, 6, 7, 8, 2_000].map((nth) => delay(fault(kind), nth));
  expect(waits("connection")).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(waits("busy")).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test("[MD-4] by default an outage of five minutes is waited out, and a busy provider for a quarter of an hour, whatever the jitter", () => {
  for (const random of [0, 0.5, 0.999]) {
    const gone = outlasted(fault("connection"), usual, random).waitedMs;
    expect([gone >= 300_000, gone < 340_000]).toEqual([true, true]);
    const busy = outlasted(fault("busy"), usual, random).waitedMs;
    expect([busy >= 900_000, busy < 980_000]).toEqual([true, true]);
  }
});

test("[MD-4] the longest outage that can be set, a day, is not cut short by the attempts", () => {
  const day = { ...usual, outageMs: 86_400_000 };
  expect(outlasted(fault("connection"), day, 0).waitedMs).toBeGreaterThanOrEqual(day.outageMs);
});

test("[MD-4] what takes minutes or costs a reply each time is tried five times at most", () => {
  const attempts = (kind: ModelFault["kind"]) => outlasted(fault(kind), usual, 0.5).attempts;
  expect([attempts("idle"), attempts("protocol")]).toEqual([5, 5]);
});

test("[MD-4] the last allowed attempt is not followed by another", () => {
  const three = { ...usual, maxAttempts: 3 };
  expect([1, 2, 3, 4].map((nth) => delay(fault("busy"), nth, three))).toEqual([500, 1_000, null, null]);
});

test("[MD-4] jitter stays within a quarter of the wait and reaches both sides", () => {
  expect([delay(fault("busy"), 1, long, 0), delay(fault("busy"), 1, long, 0.999999)]).toEqual([375, 625]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 0.999999, noNaN: true }), (nth, random) => {
      const middle = Math.min(30_000, 500 * 2 ** (nth - 1));
      const wait = delay(fault("connection"), nth, long, random);
      expect(Math.abs(wait! - middle)).toBeLessThanOrEqual(middle * 0.25 + 1);
    }),
  );
});

test("[MD-4] Retry-After is waited for exactly, up to 10 minutes; a longer one means no retry", () => {
  const waits = [0, 1, 7_000, 600_000, 600_001].map((after) => delay(fault("busy", after), 1, usual, 0.9));
  expect(waits).toEqual([0, 1, 7_000, 600_000, null]);
});

test("[MD-4] whoever sets model_outage_s to more than that waits for a Retry-After as long as it", () => {
  const hour = { ...long, outageMs: 3_600_000 };
  const waits = [600_001, 3_600_000, 3_600_001].map((after) => delay(fault("busy", after), 1, hour, 0.9));
  expect(waits).toEqual([600_001, 3_600_000, null]);
});

test("[MD-4] a provider that wants to be asked again at once, over and over, is not flooded", () => {
  const { attempts, waits } = outlasted(fault("busy", 0), usual, 0.5);
  expect(waits.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 500, 1_000, 2_000]);
  expect(attempts).toBeLessThan(40);
});
