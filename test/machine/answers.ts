// What the world may answer to an order. A pick of 0 is always the plain answer that leads to the end.
import type { Effect, EffectOf } from "../../src/contract/effect.ts";
import type { EventBody, EventOf } from "../../src/contract/event.ts";
import { type CallId, callId } from "../../src/contract/ids.ts";
import type { Call, CallResult } from "../../src/contract/message.ts";
import type { StopReason } from "../../src/contract/task.ts";
import { verdictOf } from "../../src/machine/checks.ts";
import { afterFailedCall } from "../../src/machine/recovery-call.ts";
import { callIn, callState, type SessionState } from "../../src/machine/state.ts";
import {
  assessment,
  blocked,
  call,
  change,
  check,
  error,
  intent,
  plan,
  question,
  reason,
  reply,
  result,
  summary,
  twoSteps,
  verdict,
} from "./make.ts";

/** A number from 0 to n - 1. */
export type Pick = (n: number) => number;

function oneOf<T>(pick: Pick, ...list: readonly [T, ...T[]]): T {
  return list[pick(list.length)] ?? list[0];
}

/** Answers that the engine gives inside the same batch; `null` for orders that take their time. */
export function instant(effect: Effect, state: SessionState, pick: Pick): EventBody | null {
  switch (effect.type) {
    case "start_task":
      return started(effect.inputId, state, pick);
    case "return_input":
      return { type: "input.returned", inputIds: effect.inputIds };
    case "deliver_input":
      return { type: "input.delivered", runId: effect.runId, inputIds: effect.inputIds };
    case "assess_task": {
      const missing = pick(4) === 3 ? [question("which?")] : [];
      const complexity = oneOf(pick, "simple", "complex", "simple", "complex");
      return { type: "task.assessed", taskId: effect.taskId, assessment: assessment({ missing, complexity }) };
    }
    case "start_run": {
      // A model's run may begin with a call of ours: the todo list that follows from the words.
      const isModels = "run" in state.run && state.run.run.withModel;
      const calls = isModels && pick(4) < 3 ? [] : [newCall(effect.runId, 0, 1, pick)];
      return { type: "run.started", runId: effect.runId, calls };
    }
    case "compact": {
      const compaction = { pruneBefore: pick(9), trimBefore: pick(9), tokensBefore: 2, tokensAfter: 1 };
      const stage = oneOf(pick, "prune", "trim", "exhausted");
      return {
        type: "context.compacted",
        runId: effect.runId,
        index: effect.index,
        compaction: { stage, ...compaction },
      };
    }
    case "settle_call": {
      const settled = result({ status: effect.status, error: effect.error, key: effect.status });
      return { type: "tool.settled", runId: effect.runId, callId: effect.callId, result: settled };
    }
    case "settle_sub":
      return { type: "tool.settled", runId: effect.runId, callId: effect.callId, result: result({ key: "sub" }) };
    case "give_advice":
      return { type: "advice.given", runId: effect.runId, text: effect.text };
    case "summarize_task":
      return {
        type: "task.summarized",
        taskId: effect.taskId,
        summary: { ...summary, stop_reason: stopOf(state, pick) },
      };
    case "end_task":
      return { type: "task.ended", taskId: effect.taskId };
    case "report_internal":
      return { type: "internal.reported", traceId: "x", what: effect.what };
    default:
      return null;
  }
}

/** An answer to an order that takes its time. */
export function answer(effect: Effect, state: SessionState, pick: Pick): EventBody {
  switch (effect.type) {
    case "ask_clarification":
      if (pick(4) === 3) return { type: "clarification.unanswered", taskId: effect.taskId };
      return { type: "clarification.answered", taskId: effect.taskId, text: "this" };
    case "settle_plan":
    case "read_plan":
      return planOf(effect.type, state, pick);
    case "run_checks":
    case "judge_check":
    case "check_answer":
      return ofChecks(effect.type, effect.taskId, state, pick);
    case "decide_recovery":
      return recovery(effect, state, pick);
    case "ask_plan": {
      const words = { words: oneOf(pick, "", "other"), plan: oneOf(pick, null, plan) };
      return { type: "plan.answered", taskId: effect.taskId, answer: oneOf(pick, "yes", "no", "edit"), ...words };
    }
    case "call_model":
      return ofModel(effect.runId, effect.index, effect.attempt, pick);
    case "wait_retry":
      return { type: "retry.due", runId: effect.runId, index: effect.index, attempt: effect.attempt };
    case "stop_run":
      return { type: "run.stopped", runId: effect.runId, unstopped: [] };
    case "decide_call":
    case "ask_human":
    case "intend_call":
    case "execute_call":
    case "reconcile_call":
      return ofCall(effect.type, { runId: effect.runId, callId: effect.callId }, state, pick);
    default:
      throw new Error(`${effect.type} is answered at once`);
  }
}

export const budgets: readonly { readonly maxCost?: number; readonly maxTokens?: number }[] = [
  ...[{}, { maxCost: 20 }, { maxTokens: 40 }, {}, { maxCost: 4 }, {}],
];

/** What is true at the end decides whether a denial was it. */
function stopOf({ task }: SessionState, pick: Pick): StopReason {
  if (task.phase !== "SUMMARIZING") return "COMPLETED";
  return task.end.denied && pick(2) === 1 ? "DENIED" : task.end.stop;
}

function started(inputId: string, state: SessionState, pick: Pick): EventBody {
  const steps = { maxSteps: oneOf(pick, 128, 1, 2, 3), ...budgets[pick(budgets.length)] };
  const limits = {
    maxTokens: null,
    ...steps,
    maxAttempts: 3,
    ...oneOf(pick, {}, { maxParallel: 2 }, { maxParallel: 4 }),
    maxChecks: oneOf(pick, 2, 1, 3, 4),
    onVerifyFailure: oneOf(pick, "keep", "rollback", "ask"),
    recovers: true,
    // Logs of earlier versions are without.
    ...(pick(4) < 3 ? ({ endsByFacts: true } as const) : {}),
  } as const;
  return { type: "task.started", taskId: `t${state.tasks + 1}`, runId: `r${state.runs + 1}`, inputId, limits };
}

/** What is in the reply, or what has become of the person's own plan. Only a reply can be asked for once more. */
function planOf(order: "settle_plan" | "read_plan", { task, run }: SessionState, pick: Pick): EventBody {
  const taskId = task.phase === "IDLE" ? "t0" : task.task.id;
  const isBegun = task.phase === "PLANNING" && task.begun;
  const rejected = isBegun ? pick(5) : 0;
  if (rejected === 4) return { type: "plan.rejected", taskId, problems: [reason] };
  // Only of a reply can it be said that there is none.
  if (rejected === 3 && order === "read_plan") return { type: "plan.rejected", taskId, problems: [], missing: true };
  const settled = oneOf(pick, null, plan, twoSteps);
  const how = { needsConfirmation: pick(2) === 1, goesOn: pick(2) === 1 };
  const isOurs = order === "read_plan" && "run" in run && pick(4) === 3;
  const calls = isOurs ? { calls: [newCall(run.run.id, run.run.index, 0, pick)] } : {};
  return { type: "plan.settled", taskId, plan: settled, ...how, ...calls };
}

type ChecksOrder = "run_checks" | "judge_check" | "check_answer";

/** As the engine chooses: only so many rounds. */
function ofChecks(order: ChecksOrder, taskId: string, { task, runs }: SessionState, pick: Pick): EventBody {
  const next = { taskId, runId: `r${runs + 1}` };
  const isVerifying = task.phase === "VERIFYING";
  if (order === "judge_check") {
    if (isVerifying && pick(8) === 7) return { type: "checks.chosen", ...next, checks: task.todo };
    const bad = oneOf(pick, "test_failure", "lint_failure", "build_failure", "environment", "timeout");
    const judged = verdict(oneOf(pick, "pass", bad, bad), pick(4));
    return { type: "check.judged", ...next, result: judged };
  }
  const isLeft = isVerifying && task.task.rounds.length < (task.task.limits.maxChecks ?? 0);
  if (order === "run_checks" && isLeft && pick(3) > 0) {
    const stops = [pick(2) === 1, pick(2) === 1, pick(2) === 1];
    const checks = stops.slice(0, pick(3) + 1).map((stopOnFail, at) => check(`c${at + 1}`, { stopOnFail }));
    return { type: "checks.chosen", ...next, checks };
  }
  return { type: "checks.finished", taskId, ...verdictIn(order, task, pick) };
}

type Verdict = Omit<EventOf<"checks.finished">, "type" | "taskId" | "v" | "at">;

function verdictIn(order: ChecksOrder, task: SessionState["task"], pick: Pick): Verdict {
  const answer = oneOf<readonly string[] | null>(pick, null, null, [], ["/n: must be integer, not string"]);
  const ran = order === "check_answer" && task.phase === "VERIFYING";
  return { result: ran ? verdictOf(task) : { kind: "none", reason }, ...(answer ? { answer } : {}) };
}

/** What failed calls and blocked steps lead to. */
function recovery(effect: EffectOf<"decide_recovery">, state: SessionState, pick: Pick): EventBody {
  const { taskId, cause } = effect;
  const about = { type: "recovery.decided", taskId, runId: `r${state.runs + 1}`, reason, instruction: "" } as const;
  if (state.task.phase !== "IDLE") {
    const failure = ("run" in state.run && state.run.run.failure) || null;
    const { rungs } = state.task.task;
    const may = { canAsk: pick(2) === 1, isSpent: pick(6) === 5, substitute: { tool: "bash", how: "" } };
    const { rung, blockage } = afterFailedCall({ failure, rungs, note: reason, isPlanned: cause === "plan", ...may });
    return { ...about, repairable: rung !== "stop", rung, ...(rung === "ask" || rung === "stop" ? { blockage } : {}) };
  }
  return { ...about, repairable: false };
}

function ofModel(runId: string, index: number, attempt: number, pick: Pick): EventBody {
  const at = { runId, index, attempt };
  const how = pick(10);
  if (how === 7) return { type: "model.failed", ...at, error, fault: "busy", retryInMs: pick(3) * 100 };
  if (how === 8) return { type: "model.failed", ...at, error, fault: "auth", retryInMs: null };
  if (how === 9) return { type: "context.overflowed", ...at };
  const count = how === 0 ? 0 : pick(5) + 1;
  // A reply that hands several jobs out at once.
  const isTeam = pick(3) === 0;
  const calls = Array.from({ length: count }, (_, ordinal) => newCall(runId, index, ordinal + 1, pick, isTeam));
  return { type: "model.replied", ...at, reply: reply(calls, { text: oneOf(pick, "text", ""), cost: index * 4 }) };
}

const toolOf = { read: "grep", write: "edit", exec: "bash", session: "plan", network: "fetch" } as const;

function newCall(runId: string, index: number, ordinal: number, pick: Pick, isTeam = false): Call {
  const access = isTeam ? "session" : oneOf(pick, "read", "read", "write", "read", "exec", "session", "network");
  const base = call(ordinal, { id: callId(runId, index, ordinal), tool: toolOf[access], access, key: `key${pick(2)}` });
  const made: Call = isTeam || (access === "session" && pick(3) > 0) ? { ...base, overlaps: true } : base;
  return pick(8) === 1 ? { ...made, problem: error } : made;
}

const denial = { code: "E_POLICY_DENIED", text: reason } as const;

type CallOrder = "decide_call" | "ask_human" | "intend_call" | "execute_call" | "reconcile_call";

function ofCall(order: CallOrder, id: { runId: string; callId: CallId }, state: SessionState, pick: Pick): EventBody {
  switch (order) {
    case "decide_call": {
      const isAhead = callIn(state, id.callId)?.ahead === "judging";
      if (isAhead && pick(3) === 0) return { type: "tool.deferred", ...id };
      const run = { confined: true, readOnly: true, network: false };
      if (isAhead) return { type: "tool.decided", ...id, decision: "allow", reasons: [], source: "rule", run };
      const decision = oneOf(pick, "allow", "ask", "deny", "ask", "allow");
      const form = pick(2) === 1 ? { run: { ...run, readOnly: decision === "allow" } } : {};
      return { type: "tool.decided", ...id, decision, reasons: [reason], source: "rule", ...form };
    }
    case "ask_human":
      return approval(id, state, pick);
    case "intend_call":
      if (pick(6) === 1) return { type: "tool.settled", ...id, result: result({ status: "failed", key: "failed" }) };
      return { type: "tool.intended", ...id, intent };
    case "execute_call":
    case "reconcile_call": {
      const sub = subOf(id, state, pick);
      if (sub) return sub;
      const status: CallResult["status"] = oneOf(pick, "done", "done", "failed", "cancelled", "unknown");
      const more =
        status === "failed"
          ? oneOf<Partial<CallResult>>(pick, { error }, { error: denial }, {})
          : oneOf<Partial<CallResult>>(pick, {}, {}, { changes: [change] }, { todos: [] }, { plan }, { plan: blocked });
      return { type: "tool.settled", ...id, result: result({ status, key: `out${pick(2)}`, ...more }) };
    }
  }
}

/** TL-5: a call that hands work on, if nobody does so already. */
function subOf(id: { runId: string; callId: CallId }, state: SessionState, pick: Pick): EventBody | null {
  const { run, subs, runs } = state;
  if (callState(run, id.callId)?.call.access !== "session" || !("run" in run)) return null;
  if (subs.some(({ callId }) => callId === id.callId)) return null;
  if (!run.run.withModel || run.run.index === 0 || run.run.stopping !== "no" || pick(3) === 0) return null;
  const sub = { kind: oneOf(pick, "explore", "general"), title: "look", prompt: "look at it" } as const;
  const share = pick(3) === 0 ? { share: { maxSteps: 1 + pick(3), maxTokens: null } } : {};
  return { type: "sub.started", ...id, subId: `r${runs + 1}`, sub, ...share };
}

function approval(id: { runId: string; callId: CallId }, state: SessionState, pick: Pick): EventBody {
  const asked = callIn(state, id.callId)?.call;
  const given = oneOf(pick, "yes", "no", "always", "edit");
  const edited =
    asked && pick(4) > 0 ? { ...asked, key: "edited", ...(pick(4) === 1 ? { problem: error } : {}) } : null;
  const words = oneOf(pick, "", "not that");
  return {
    type: "approval.answered",
    ...id,
    answer: given,
    words,
    call: given === "edit" ? edited : null,
    by: oneOf(pick, "person", "person", "nobody"),
  };
}
