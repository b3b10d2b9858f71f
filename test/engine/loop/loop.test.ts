// The loop over a real store; a recorder in front of it sees what is appended, and how.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoderError } from "../../../src/contract/error.ts";
import type { EventBody } from "../../../src/contract/event.ts";
import type { Append, SessionLog, Store } from "../../../src/contract/store.ts";
import { Loop, type LoopHooks } from "../../../src/engine/loop/loop.ts";
import type { Published } from "../../../src/engine/port.ts";
import { openStore } from "../../../src/store/open.ts";

let home = "";
let store: Store;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coder-loop-"));
  store = openStore(home);
});
afterEach(() => {
  store.close();
  rmSync(home, { recursive: true, force: true });
});

const id = "loop00-test00";
const started: EventBody = {
  type: "session.started",
  sessionId: id,
  workspace: "/w",
  addDirs: [],
  model: "m",
  mode: "default",
  preset: null,
  forkedFrom: null,
};
const input: EventBody = { type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: "go" };

function makeLoop(hooks: Partial<LoopHooks> = {}, log: SessionLog = store.create(id, "/w")) {
  const batches: Append[] = [];
  const published: Published[] = [];
  const performed: string[] = [];
  const recording: SessionLog = {
    ...log,
    append: (batch) => {
      batches.push(batch);
      log.append(batch);
    },
  };
  const loop = new Loop(recording, {
    now: () => 42,
    answerNow: () => null,
    perform: (effect) => performed.push(effect.type),
    publish: (one) => published.push(one),
    trace: () => "trace-1",
    onDead: () => performed.push("dead"),
    ...hooks,
  });
  return { loop, log, batches, published, performed };
}

test("[PS-1] what arrives together is one transaction, published afterwards in order with its numbers, and then performed", async () => {
  const { loop, batches, published, performed } = makeLoop({ publish: () => performed.push("published") });
  loop.push(started);
  await loop.pushStored(input);
  expect(batches.map(({ from, entries, durable }) => [from, entries.map((one) => one.event.type), durable])).toEqual([
    [1, ["session.started", "input.admitted"], true],
  ]);
  expect(performed).toEqual(["published", "published", "start_task"]);
  expect(published).toEqual([]);
  expect(loop.nextSeq).toBe(3);
});

test("events are stamped with version and time, and numbered from 1", async () => {
  const { loop, published } = makeLoop();
  await loop.pushStored(started, input);
  const seen = published.flatMap((one) =>
    one.kind === "event" ? [[one.recorded.seq, one.recorded.event.v, one.recorded.event.at]] : [],
  );
  expect(seen).toEqual([
    [1, 1, 42],
    [2, 1, 42],
  ]);
});

test("only what must survive power loss is synced", async () => {
  const { loop, batches } = makeLoop();
  await loop.pushStored(started);
  await loop.pushStored({ type: "mode.changed", mode: "plan" });
  await loop.pushStored(input);
  await loop.pushStored({ type: "input.returned", inputIds: ["i1"] });
  expect(batches.map((batch) => batch.durable)).toEqual([false, false, true, true]);
});

test("answerNow answers ride in the batch of their cause, right behind it, with the bytes they bring", async () => {
  const limits = { maxSteps: 1, maxTokens: null, maxAttempts: 1 };
  const blob = { hash: "h", bytes: new Uint8Array([7]) };
  const { loop, batches, performed } = makeLoop({
    answerNow: (effect) =>
      effect.type === "start_task"
        ? { bodies: [{ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits }], blobs: [blob] }
        : null,
  });
  loop.push(started);
  loop.push(input);
  await loop.pushStored({ type: "mode.changed", mode: "plan" });
  expect(batches[0]?.blobs).toEqual([blob]);
  expect(batches[0]?.entries.map((one) => one.event.type)).toEqual([
    "session.started",
    "input.admitted",
    "task.started",
    "mode.changed",
  ]);
  expect(performed).toEqual(["assess_task"]);
});

test("[PS-1] a failed append changes no state, publishes nothing but the failure, and everything after it is refused", async () => {
  const { loop, log, published, performed } = makeLoop();
  await loop.pushStored(started);
  const before = loop.state;
  log.close();
  const failed = await loop.pushStored(input).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(CoderError);
  expect(loop.state).toBe(before);
  expect(loop.failure?.code).toBe("E_STORE");
  expect(published.filter((one) => one.kind === "fatal").length).toBe(1);
  expect(performed).toEqual(["dead"]);
  const later = await loop.pushStored(input).catch((error: unknown) => error);
  expect(later).toBeInstanceOf(CoderError);
  loop.push(input);
  await loop.idle();
  expect(published.filter((one) => one.kind === "event").length).toBe(1);
});

test("[ER-2] a fault of ours while reducing ends the loop as an internal error with a trace id", async () => {
  const { loop } = makeLoop({
    answerNow: () => {
      throw new TypeError("a bug");
    },
  });
  const failed = await loop.pushStored(started, input).catch((error: unknown) => error);
  expect(failed instanceof CoderError && failed.info).toMatchObject({ code: "E_INTERNAL", traceId: "trace-1" });
});

test("[PS-1] a fold gives the state and the next number; a refused event is skipped, one that no longer fits is damage", async () => {
  const { loop, log } = makeLoop();
  await loop.pushStored(started, input, { type: "task.ended", taskId: "t9" });
  const folded = makeLoop({}, log).loop;
  folded.fold(log.read());
  expect([folded.state, folded.nextSeq]).toEqual([loop.state, loop.nextSeq]);
  const records = [...log.read()];
  const harmed = records.map((one) => (one.seq === 3 ? { ...one, accepted: true } : one));
  const error = (() => {
    try {
      makeLoop({}, log).loop.fold(harmed);
      return null;
    } catch (caught) {
      return caught instanceof CoderError ? caught.info : caught;
    }
  })();
  expect(error).toMatchObject({
    code: "E_STORE",
    text: { key: "run.damaged_log", args: { seq: 3 } },
    advice: { key: "run.damaged_log.advice" },
  });
  const newer = records.map((one) => ({ ...one, event: { ...one.event, v: 2 as 1 } }));
  expect(() => makeLoop({}, log).loop.fold(newer)).toThrow(CoderError);
});

test("orders of a resume are answered at once where they can be, else performed", async () => {
  const { loop, performed, published } = makeLoop({
    answerNow: (effect) =>
      effect.type === "report_internal"
        ? { bodies: [{ type: "internal.reported", traceId: "t", what: "x" }], blobs: [] }
        : null,
  });
  await loop.pushStored(started);
  loop.perform([
    { type: "report_internal", what: "x" },
    { type: "stop_run", runId: "r1" },
  ]);
  await loop.pushStored({ type: "mode.changed", mode: "plan" });
  expect(performed).toEqual(["stop_run"]);
  expect(published.flatMap((one) => (one.kind === "event" ? [one.recorded.event.type] : []))).toEqual([
    "session.started",
    "internal.reported",
    "mode.changed",
  ]);
});
