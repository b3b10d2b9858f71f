// The machine's world in small: events with everything filled in that a test does not speak about.
import type { ErrorInfo } from "../../src/contract/error.ts";
import type { Event, EventBody, EventOf, RunLimits } from "../../src/contract/event.ts";
import { callId } from "../../src/contract/ids.ts";
import type { AssistantReply, Call, CallResult, FileChange, Intent } from "../../src/contract/message.ts";
import type { Plan } from "../../src/contract/plan.ts";
import type { Assessment, Blockage, Question, TaskSummary } from "../../src/contract/task.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import type { Check, VerificationResult } from "../../src/contract/verification.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession, type SessionState } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { roleOf } from "../support/role.ts";

export const limits: RunLimits = {
  maxSteps: 128,
  maxTokens: null,
  maxAttempts: 5,
  maxChecks: 3,
  recovers: true,
  endsByFacts: true,
};
export const error: ErrorInfo = { code: "E_IO", text: phrase("run.crashed", { what: "it" }) };
export const reason = phrase("run.unknown_outcome");
export const plan: Plan = {
  plan_id: "p1",
  title: "plan",
  goal: "goal",
  constraints: [],
  steps: [],
  verification: { mode: "none", commands: [], required: false, stop_on_fail: true },
  risk_level: "high",
  created_at: "2026-01-01T00:00:00.000Z",
};
const step = { description: "", intent: "", dependencies: [], tools_expected: ["write"], rollback_hint: "" };
/** Its first step is done when a file is there, its second when the model says so. */
export const twoSteps: Plan = {
  ...plan,
  title: "two steps",
  steps: [
    { ...step, id: "1", title: "step 1", expected_artifacts: [{ path: "a", change: "create" }], status: "pending" },
    { ...step, id: "2", title: "step 2", expected_artifacts: [], status: "pending" },
  ],
};
/** A plan whose only step its model has given up. */
export const blocked: Plan = {
  ...plan,
  steps: [{ ...step, id: "1", title: "step 1", expected_artifacts: [], status: "blocked" }],
};
/** What recovery found in the way. */
export const blockage: Blockage = { what: reason, steps: [phrase("recovery.step.unblock")] };
export const change: FileChange = { path: "a", real: "/w/a", before: null, after: { hash: "h", size: 1, mode: 0o644 } };
export const intent: Intent = { changes: [change], text: "changed" };
export const summary: TaskSummary = {
  changed_files: [],
  why: "",
  commands: [],
  verification: { status: "none", reason: "" },
  risks: [],
  rollback: "",
  next_steps: [],
  outcome: "UNVERIFIED",
  stop_reason: "COMPLETED",
  check_wanted: false,
  exit_code: 0,
};

/** A run without a model, from its start to the result of its one call. */
export function carriedOut(runId: string, more: Partial<CallResult> = {}): readonly Event[] {
  return [...executing(runId), event({ type: "tool.settled", ...about(runId), result: result(more) })];
}

export function executing(runId: string): readonly Event[] {
  return [
    make.runStarted([onlyCall(runId, { tool: "diagnostics" })], runId),
    make.decided(1, "allow", about(runId)),
    event({ type: "tool.intended", ...about(runId), intent }),
  ];
}

const about = (runId: string) => ({ runId, callId: callId(runId, 0, 1) });

export function event<B extends EventBody>(body: B): { readonly v: 1; readonly at: number } & B {
  return { v: 1, at: 1, ...body };
}

export function call(ordinal: number, more: Partial<Call> = {}): Call {
  const base = { providerId: null, tool: "read", input: {}, key: `key${ordinal}`, access: "read" } as const;
  return { id: callId("r1", 1, ordinal), ...base, afterCrash: "repeat", ...roleOf(more.tool ?? base.tool), ...more };
}

/** The one call of a run without a model. */
export function onlyCall(runId: string, more: Partial<Call> = {}): Call {
  return call(1, { id: callId(runId, 0, 1), access: "exec", ...more });
}

export function question(words: string): Question {
  return { question: words, options: ["this", "that"] };
}

export function assessment(more: Partial<Assessment> = {}): Assessment {
  const base = { kind: "task", intent: "change", complexity: "simple" } as const;
  return { ...base, riskLevel: "low", foreseen: [], missing: [], ...more };
}

export function check(command: string, more: Partial<Check> = {}): Check {
  return { command, cwd: "", runner: "auto", required: true, stopOnFail: true, ...more };
}

/** What a check said, by default that all is well; `failed` tests otherwise. */
export function verdict(type: VerificationResult["type"], failed = 0, command = "make"): VerificationResult {
  const counts = { passed: 1, failed, errors: null, skipped: null, todo: null };
  const base = { exit_code: 0, summary: type, details: [], suggestion: "", fingerprint: `${type} ${failed}` };
  return { ok: type === "pass", type, command, counts, ...base };
}

export function reply(calls: readonly Call[], more: Partial<AssistantReply> = {}): AssistantReply {
  const usage = { input: 10, output: 5, cachedInput: 3, reasoning: 2 };
  return { text: "text", thinking: "", calls, usage, finish: calls.length > 0 ? "tool_calls" : "stop", ...more };
}

export function result(more: Partial<CallResult> = {}): CallResult {
  return { status: "done", output: "", key: "out", ms: 1, ...more };
}

type More<T extends Event["type"]> = Partial<Omit<EventOf<T>, "type" | "v" | "at">>;

/** One event of each kind that a test plays, about task t1 and run r1. */
export const make = {
  admitted: (inputId = "i1", more: More<"input.admitted"> = {}) =>
    event({ type: "input.admitted", inputId, kind: "task", delivery: "now", text: `text of ${inputId}`, ...more }),
  started: (more: More<"task.started"> = {}) =>
    event({ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits, ...more }),
  continued: (more: More<"task.continued"> = {}) =>
    event({ type: "task.continued", taskId: "t1", nextRunId: "r9", limits, ...more }),
  assessed: (more: Partial<Assessment> = {}) =>
    event({ type: "task.assessed", taskId: "t1", assessment: assessment(more) }),
  clarified: () => event({ type: "clarification.answered", taskId: "t1", text: "the second" }),
  built: () => event({ type: "context.built", taskId: "t1", hints: "" }),
  planned: (more: More<"plan.settled"> = {}) =>
    event({ type: "plan.settled", taskId: "t1", plan: null, needsConfirmation: false, ...more }),
  planAnswered: (answer: "yes" | "no" | "edit", more: More<"plan.answered"> = {}) =>
    event({ type: "plan.answered", taskId: "t1", answer, words: "", plan: null, ...more }),
  rejected: () => event({ type: "plan.rejected", taskId: "t1", problems: [reason] }),
  chosen: (checks: readonly Check[] = [check("make")], runId = "r2") =>
    event({ type: "checks.chosen", taskId: "t1", runId, checks }),
  judged: (judged: VerificationResult = verdict("pass"), runId = "r3") =>
    event({ type: "check.judged", taskId: "t1", runId, result: judged }),
  checked: (checks: EventOf<"checks.finished">["result"] = { kind: "pass", command: "make" }) =>
    event({ type: "checks.finished", taskId: "t1", result: checks }),
  recovered: (repairable: boolean, runId = "r2", more: More<"recovery.decided"> = {}) =>
    event({ type: "recovery.decided", taskId: "t1", runId, repairable, reason, instruction: "", ...more }),
  summarized: () => event({ type: "task.summarized", taskId: "t1", summary }),
  ended: () => event({ type: "task.ended", taskId: "t1" }),
  timedOut: () => event({ type: "task.timed_out", taskId: "t1" }),
  cancel: (source: EventOf<"cancel.requested">["source"] = "esc") => event({ type: "cancel.requested", source }),
  runStarted: (calls: readonly Call[] = [], runId = "r1") => event({ type: "run.started", runId, calls }),
  replied: (calls: readonly Call[], more: More<"model.replied"> = {}) =>
    event({ type: "model.replied", runId: "r1", index: 1, attempt: 1, reply: reply(calls), ...more }),
  failed: (retryInMs: number | null, more: More<"model.failed"> = {}) =>
    event({ type: "model.failed", runId: "r1", index: 1, attempt: 1, error, fault: "busy", retryInMs, ...more }),
  retryDue: (more: More<"retry.due"> = {}) => event({ type: "retry.due", runId: "r1", index: 1, attempt: 1, ...more }),
  overflowed: (more: More<"context.overflowed"> = {}) =>
    event({ type: "context.overflowed", runId: "r1", index: 1, attempt: 1, ...more }),
  compacted: (stage: "prune" | "summary" | "trim" | "exhausted", more: More<"context.compacted"> = {}) => {
    const compaction = { stage, pruneBefore: 4, trimBefore: 2, tokensBefore: 9, tokensAfter: 5 };
    return event({ type: "context.compacted", runId: "r1", index: 1, compaction, ...more });
  },
  decided: (ordinal: number, decision: "allow" | "ask" | "deny", more: More<"tool.decided"> = {}) => {
    const about = { runId: "r1", callId: call(ordinal).id };
    return event({ type: "tool.decided", ...about, decision, reasons: [], source: "rule", ...more });
  },
  deferred: (ordinal: number) => event({ type: "tool.deferred", runId: "r1", callId: call(ordinal).id }),
  approval: (ordinal: number, answer: "yes" | "no" | "always" | "edit", more: More<"approval.answered"> = {}) => {
    const about = { runId: "r1", callId: call(ordinal).id };
    return event({ type: "approval.answered", ...about, answer, words: "", call: null, by: "person", ...more });
  },
  intended: (ordinal: number) => event({ type: "tool.intended", runId: "r1", callId: call(ordinal).id, intent }),
  spawned: (ordinal: number) =>
    event({ type: "process.spawned", runId: "r1", callId: call(ordinal).id, pid: 7, startTime: "99" }),
  settled: (ordinal: number, more: Partial<CallResult> = {}) =>
    event({ type: "tool.settled", runId: "r1", callId: call(ordinal).id, result: result(more) }),
  stopped: (runId = "r1") => event({ type: "run.stopped", runId, unstopped: [] }),
};

/** The state after these events; each must be accepted, so that a test stands where it says it stands. */
export function after(events: readonly Event[], from: SessionState = emptySession): SessionState {
  return events.reduce((state, one) => {
    const step = reduce(state, one);
    if (!step.accepted) throw new Error(`${one.type} is not accepted in ${state.task.phase}/${state.run.phase}`);
    return step.state;
  }, from);
}

export interface Moved {
  readonly before: SessionState;
  readonly step: Step<SessionState>;
}

export function move(events: readonly Event[], last: Event): Moved {
  const before = after(events);
  return { before, step: reduce(before, last) };
}
