// Logs for the tests of exports: one task with a reply and a call, in whatever words a test wants.
import type { EventBody, Recorded } from "../../../src/contract/event.ts";
import type { Call, CallResult } from "../../../src/contract/message.ts";
import type { TaskSummary } from "../../../src/contract/task.ts";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import type { ExportHead } from "../../../src/surface/export/head.ts";
import { roleOf } from "../../support/role.ts";

export const head: ExportHead = {
  id: "aaaa-0001",
  title: "a title",
  workspace: "/w",
  model: "a/one",
  createdAt: 0,
  updatedAt: 60_000,
  events: 1_000_000,
  timezone: "UTC",
};

export function recordedLog(...bodies: readonly (EventBody & { readonly at?: number })[]): readonly Recorded[] {
  return bodies.map((body, index) => ({ seq: index + 1, accepted: true, event: { v: 1, at: 1_000 + index, ...body } }));
}

export function call(id: Call["id"], tool: string, input: unknown): Call {
  return { id, providerId: null, tool, input, key: "k", access: "read", afterCrash: "repeat", ...roleOf(tool) };
}

export interface Words {
  readonly input: string;
  readonly thinking: string;
  readonly text: string;
  readonly tool: string;
  readonly argument: unknown;
  readonly output: string;
  readonly path: string;
  readonly reason: string;
}

const stamp = { hash: "0".repeat(64), size: 3, mode: 0o644 };
const usage = { input: 120, output: 9, cachedInput: 100, reasoning: 1 };

export function summaryOf(words: Words): TaskSummary {
  return {
    changed_files: [{ path: words.path, change: "modify" }],
    why: words.text,
    commands: [{ command: words.output, status: "done", exit_code: 0 }],
    verification: { status: "none", reason: words.reason },
    risks: [words.reason],
    rollback: "",
    next_steps: [words.text],
    outcome: "UNVERIFIED",
    stop_reason: "COMPLETED",
    check_wanted: false,
    exit_code: 0,
  };
}

/** One task in which every word comes from outside. */
export function taskLog(words: Words): readonly Recorded[] {
  const asked = call("r1/1/0", words.tool, words.argument);
  const result: CallResult = {
    ...{ status: "failed", output: words.output, key: "k", ms: 5, data: { exit_code: 3 } },
    error: { code: "E_IO", text: phrase("file.missing", { path: words.reason }) },
    changes: [{ path: words.path, real: words.path, before: stamp, after: null }],
  };
  const limits = { maxSteps: 1, maxTokens: null, maxAttempts: 1 };
  const where = { runId: "r1", callId: asked.id };
  const reply = { text: words.text, thinking: words.thinking, calls: [asked], usage, finish: "tool_calls" } as const;
  return recordedLog(
    {
      ...{ type: "session.started", sessionId: head.id, workspace: "/w", addDirs: [], model: "a/one" },
      ...{ mode: "default", preset: null, forkedFrom: words.reason },
    },
    { type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: words.input },
    { type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits },
    { type: "run.started", runId: "r1", calls: [] },
    { type: "model.replied", runId: "r1", index: 1, attempt: 1, reply },
    { type: "tool.decided", ...where, decision: "ask", reasons: [], source: words.reason },
    { type: "approval.answered", ...where, answer: "yes", words: words.reason, call: null, by: "person" },
    { type: "tool.settled", ...where, result },
    { type: "input.admitted", inputId: "i2", kind: "task", delivery: "steer", text: words.input },
    { type: "input.delivered", runId: "r1", inputIds: ["i2"] },
    { type: "task.summarized", taskId: "t1", summary: summaryOf(words) },
    { type: "task.ended", taskId: "t1" },
  );
}

/** Every word the same. */
export function allWords(text: string): Words {
  const argument = { command: text, more: `${text}\n${text}`, list: [text], [text]: 1 };
  return { ...{ input: text, thinking: text, text, tool: text, output: text }, path: text, reason: text, argument };
}
