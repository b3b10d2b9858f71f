import { expect, test } from "bun:test";
import { OutageNotices } from "../../../src/command/text/outage-notices.ts";
import type { EventBody } from "../../../src/contract/event.ts";
import { phrase, say } from "../../../src/contract/text/catalogue.ts";
import { emptySession } from "../../../src/machine/state.ts";

function lineOf(told: OutageNotices, body: EventBody): string | null {
  const recorded = { seq: 1, accepted: true, event: { v: 1, at: 0, ...body } } as const;
  const text = told.hear({ kind: "event", recorded, state: emptySession, transitions: [] });
  return text && say("en", text);
}

function failed(detail: string, attempt: number, retryInMs: number | null): EventBody {
  const text = phrase("model.unreachable", { provider: "p", host: "h", detail });
  const error = { code: "E_MODEL", text } as const;
  return { type: "model.failed", runId: "r1", index: 1, attempt, error, fault: "connection", retryInMs };
}

test("[MD-4] of an outage of five minutes a handful of lines is told: at once, with a new reason, then once a minute", () => {
  const told = new OutageNotices();
  const waits = [500, 1_000, 2_000, 4_000, 8_000, 16_000, ...Array<number>(10).fill(30_000)];
  const lines = waits.map((ms, at) => lineOf(told, failed("ECONNREFUSED", at + 1, ms)));
  expect(lines.flatMap((line, at) => (line === null ? [] : [at + 1]))).toEqual([2, 8, 10, 12, 14, 16]);
  expect(lines[1]).toBe("cannot reach p (h): ECONNREFUSED. Retrying in 1 seconds (attempt 3).");
  expect(lineOf(told, failed("ENOTFOUND", 17, 30_000))).toContain("ENOTFOUND. Retrying in 30 seconds (attempt 18)");
  expect(lineOf(told, failed("ENOTFOUND", 18, 30_000))).toBeNull();
});

test("[MD-4] the next outage is told again, and one that is over with the task is its end's to tell", () => {
  const told = new OutageNotices();
  const ended: EventBody = { type: "model.replied", runId: "r1", index: 1, attempt: 2, reply: {} as never };
  expect(lineOf(told, failed("ECONNREFUSED", 1, 2_000))).not.toBeNull();
  expect(lineOf(told, ended)).toBeNull();
  expect(lineOf(told, failed("ECONNREFUSED", 1, 2_000))).not.toBeNull();
  expect(lineOf(told, failed("ENOTFOUND", 2, null))).toBeNull();
});
