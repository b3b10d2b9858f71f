// A session cut off between an intent and its result, made by writing exactly that log, and then resumed.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventBody } from "../../src/contract/event.ts";
import type { CallResult, Intent } from "../../src/contract/message.ts";
import { makeCall } from "../../src/engine/model/reply.ts";
import { openStore } from "../../src/store/open.ts";
import { loadTools } from "../../src/tool/registry.ts";
import { Bench, type Seat } from "../support/engine.ts";

const id = "crash0-test00";
const callId = "r1/1/1" as const;
const sha = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const stamp = (text: string) => ({ hash: sha(text), size: text.length, mode: 0o644 });

interface Cut {
  readonly tool: string;
  readonly input: unknown;
  readonly intent?: Intent;
  readonly spawned?: { readonly pid: number; readonly startTime: string };
  /** The person had cancelled before the crash. */
  readonly stopping?: true;
}

/** Writes the log, resumes it in yolo mode, and gives the result of the call. */
async function resumed(bench: Bench, cut: Cut): Promise<{ seat: Seat; result: CallResult }> {
  const call = makeCall(callId, null, cut.tool, cut.input, loadTools([]));
  const usage = { input: 1, output: 1, cachedInput: 0, reasoning: 0 };
  const bodies: EventBody[] = [
    {
      type: "session.started",
      sessionId: id,
      workspace: bench.workspace,
      addDirs: [],
      model: "openai-chat/mock",
      mode: "yolo",
      preset: null,
      forkedFrom: null,
    },
    { type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: "go" },
    {
      type: "task.started",
      taskId: "t1",
      runId: "r1",
      inputId: "i1",
      limits: { maxSteps: 9, maxTokens: null, maxAttempts: 1 },
    },
    {
      type: "task.assessed",
      taskId: "t1",
      assessment: { intent: "task", complexity: "simple", riskLevel: "low", foreseen: [], missing: [] },
    },
    { type: "context.built", taskId: "t1", hints: "now" },
    { type: "plan.settled", taskId: "t1", plan: null, needsConfirmation: false },
    { type: "run.started", runId: "r1", calls: [] },
    {
      type: "model.replied",
      runId: "r1",
      index: 1,
      attempt: 1,
      reply: { text: "", thinking: "", calls: [call], usage, finish: "tool_calls" },
    },
    { type: "tool.decided", runId: "r1", callId, decision: "allow", reasons: [], source: "mode yolo" },
    { type: "tool.intended", runId: "r1", callId, intent: cut.intent ?? { changes: [], text: "" } },
    ...(cut.spawned ? [{ type: "process.spawned", runId: "r1", callId, ...cut.spawned } as const] : []),
    ...(cut.stopping ? [{ type: "cancel.requested", source: "esc" } as const] : []),
  ];
  const store = openStore(bench.home);
  const entries = bodies.map((body) => ({ event: { v: 1, at: 1, ...body } as const, accepted: true }));
  store.create(id, bench.workspace).append({ from: 1, entries, blobs: [], durable: true });
  store.close();
  const seat = bench.open({ mode: "yolo" });
  expect(await seat.engine.resume(id)).toEqual({ ok: true });
  await seat.engine.idle();
  expect(seat.all("tool.settled").length).toBe(1);
  return { seat, result: seat.last("tool.settled").result };
}

const done = [{ text: "first is the call" }, { text: "done" }];

/** A write of `new` over `old` (or over nothing), as its intent was stored. */
function writeOf(bench: Bench, old: string | null): { readonly intent: Intent; readonly path: string } {
  const path = join(bench.workspace, "a.txt");
  if (old !== null) writeFileSync(path, old);
  const change = { path: "a.txt", real: path, before: old === null ? null : stamp(old), after: stamp("new") };
  return { path, intent: { changes: [change], text: "the words of the intent" } };
}

const write = { tool: "write", input: { path: "a.txt", content: "new" } };

describe("[PS-4] after kill -9 a write", () => {
  test("that is on disk is reported in the words of its intent and not written again", async () => {
    await using bench = new Bench(done);
    const { intent, path } = writeOf(bench, null);
    writeFileSync(path, "new");
    const { result } = await resumed(bench, { ...write, intent });
    expect(result).toMatchObject({ status: "done", output: "the words of the intent", changes: intent.changes });
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  test("that is not on disk is carried out now", async () => {
    await using bench = new Bench(done);
    const { intent, path } = writeOf(bench, null);
    const { result, seat } = await resumed(bench, { ...write, intent });
    expect(result.status).toBe("done");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(seat.last("task.summarized").summary.changed_files).toEqual([{ path: "a.txt", change: "create" }]);
  });

  test("whose file someone else changed meanwhile is a conflict that names it, and the file stays", async () => {
    await using bench = new Bench(done);
    const { intent, path } = writeOf(bench, "old");
    writeFileSync(path, "theirs");
    const { result } = await resumed(bench, { ...write, intent });
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "E_CONFLICT", text: { key: "run.file_changed", args: { path: "a.txt" } }, sideEffect: "unknown" },
    });
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });

  test("over several files, of which someone else changed one, names each file and how it stands", async () => {
    await using bench = new Bench(done);
    const changeOf = (name: string, now: string) => {
      const real = bench.file(name, now);
      return { path: name, real, before: stamp("old"), after: stamp("new") };
    };
    const changes = [changeOf("a.txt", "new"), changeOf("b.txt", "theirs"), changeOf("c.txt", "old")];
    const patch = { tool: "patch", input: { patch: "*** Begin Patch\n*** End Patch" } };
    const { result } = await resumed(bench, { ...patch, intent: { changes, text: "patched" } });
    expect(result.error).toEqual({
      code: "E_CONFLICT",
      text: { key: "run.files_changed", args: { path: "b.txt", done: "a.txt", open: "c.txt" } },
      sideEffect: "unknown",
    });
    // So that an undo takes it back.
    expect(result.changes).toEqual(changes.slice(0, 1));
  });

  test("that had been cancelled is not carried out, but one that is on disk is reported as done", async () => {
    await using bench = new Bench(done);
    const { intent, path } = writeOf(bench, null);
    const { result } = await resumed(bench, { ...write, intent, stopping: true });
    expect(result).toMatchObject({ status: "cancelled", error: { code: "E_CANCELLED", sideEffect: "none" } });
    expect(existsSync(path)).toBe(false);
    await using other = new Bench(done);
    const applied = writeOf(other, null);
    writeFileSync(applied.path, "new");
    expect((await resumed(other, { ...write, intent: applied.intent, stopping: true })).result.status).toBe("done");
  });
});

describe("[PS-4] after kill -9 a command", () => {
  const bash = { tool: "bash", input: { command: "echo x >> log.txt" } };
  const log = (bench: Bench) =>
    existsSync(join(bench.workspace, "log.txt")) ? readFileSync(join(bench.workspace, "log.txt"), "utf8") : "";

  test("whose process was never recorded did not run, and runs now, once", async () => {
    await using bench = new Bench(done);
    const { result } = await resumed(bench, bash);
    expect(result.status).toBe("done");
    expect(log(bench)).toBe("x\n");
  });

  test("whose process was recorded is unknown, is told to the person, and is not run again", async () => {
    await using bench = new Bench(done);
    const { result, seat } = await resumed(bench, { ...bash, spawned: { pid: 999_999_999, startTime: "1" } });
    expect(result).toMatchObject({
      status: "unknown",
      error: { code: "E_CANCELLED", text: { key: "run.unknown_outcome" }, sideEffect: "unknown" },
    });
    expect(seat.all("notice.given").map((event) => event.text)).toEqual([
      { key: "run.unknown_notice", args: { command: "echo x >> log.txt" } },
    ]);
    expect(log(bench)).toBe("");
  });

  test("that had been cancelled before it started is not run", async () => {
    await using bench = new Bench(done);
    const { result, seat } = await resumed(bench, { ...bash, stopping: true });
    expect(result).toMatchObject({ status: "cancelled", error: { sideEffect: "none" } });
    expect(log(bench)).toBe("");
    expect(seat.last("task.summarized").summary.stop_reason).toBe("CANCELLED");
  });
});

test("[PS-4] after kill -9 a read is repeated, and after a cancel it is not", async () => {
  await using bench = new Bench(done);
  bench.file("a.txt", "words\n");
  const read = { tool: "read", input: { path: "a.txt" } };
  expect((await resumed(bench, read)).result).toMatchObject({ status: "done", output: "1\twords" });
  await using other = new Bench(done);
  expect((await resumed(other, { ...read, stopping: true })).result.status).toBe("cancelled");
});
