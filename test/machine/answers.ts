// What the world may answer to an order. A pick of 0 is always the plain answer that leads to the end.
import type { Effect } from "../../src/contract/effect.ts";
import type { EventBody } from "../../src/contract/event.ts";
import { type CallId, callId } from "../../src/contract/ids.ts";
import type { Call, CallResult } from "../../src/contract/message.ts";
import { callState, type SessionState } from "../../src/machine/state.ts";
import { assessment, call, change, error, intent, plan, reason, reply, result, summary } from "./make.ts";

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
      const missing = oneOf<string[]>(pick, [], [], [], ["which?"]);
      return { type: "task.assessed", taskId: effect.taskId, assessment: assessment(missing) };
    }
    case "settle_plan": {
      const needed = oneOf(pick, null, null, plan);
      return { type: "plan.settled", taskId: effect.taskId, plan: needed, needsConfirmation: pick(2) === 1 };
    }
    case "start_run": {
      const calls = "run" in state.run && state.run.run.withModel ? [] : [newCall(effect.runId, 0, 1, pick)];
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
    case "give_advice":
      return { type: "advice.given", runId: effect.runId, text: effect.text };
    case "run_checks":
      return {
        type: "checks.finished",
        taskId: effect.taskId,
        ...oneOf<Omit<Extract<EventBody, { type: "checks.finished" }>, "type" | "taskId">>(
          pick,
          { result: { kind: "pass", command: "make" } },
          { result: { kind: "none", reason } },
          { result: { kind: "fail", command: "make", error } },
          { result: { kind: "none", reason }, answer: ["/n: must be integer, not string"] },
        ),
      };
    case "decide_recovery": {
      const about = { taskId: effect.taskId, runId: `r${state.runs + 1}`, reason, instruction: "" };
      return { type: "recovery.decided", ...about, repairable: pick(2) === 1 };
    }
    case "summarize_task":
      return { type: "task.summarized", taskId: effect.taskId, summary };
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
      return { type: "clarification.answered", taskId: effect.taskId, text: "this" };
    case "build_context":
      return { type: "context.built", taskId: effect.taskId, hints: "" };
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

function started(inputId: string, state: SessionState, pick: Pick): EventBody {
  const limits = { maxSteps: oneOf(pick, 128, 1, 2, 3), maxTokens: oneOf(pick, null, null, 40), maxAttempts: 3 };
  return { type: "task.started", taskId: `t${state.tasks + 1}`, runId: `r${state.runs + 1}`, inputId, limits };
}

function ofModel(runId: string, index: number, attempt: number, pick: Pick): EventBody {
  const at = { runId, index, attempt };
  const how = pick(10);
  if (how === 7) return { type: "model.failed", ...at, error, fault: "busy", retryInMs: pick(3) * 100 };
  if (how === 8) return { type: "model.failed", ...at, error, fault: "auth", retryInMs: null };
  if (how === 9) return { type: "context.overflowed", ...at };
  const count = how === 0 ? 0 : pick(5) + 1;
  const calls = Array.from({ length: count }, (_, ordinal) => newCall(runId, index, ordinal + 1, pick));
  return { type: "model.replied", ...at, reply: reply(calls, { text: oneOf(pick, "text", "") }) };
}

function newCall(runId: string, index: number, ordinal: number, pick: Pick): Call {
  const access = oneOf(pick, "read", "read", "write", "read", "exec", "session", "network");
  const base = call(ordinal, { id: callId(runId, index, ordinal), access, key: `key${pick(2)}` });
  return pick(8) === 1 ? { ...base, problem: error } : base;
}

type CallOrder = "decide_call" | "ask_human" | "intend_call" | "execute_call" | "reconcile_call";

function ofCall(order: CallOrder, id: { runId: string; callId: CallId }, state: SessionState, pick: Pick): EventBody {
  switch (order) {
    case "decide_call": {
      const decision = oneOf(pick, "allow", "ask", "deny", "ask", "allow");
      return { type: "tool.decided", ...id, decision, reasons: [reason], source: "rule" };
    }
    case "ask_human":
      return approval(id, state, pick);
    case "intend_call":
      if (pick(6) === 1) return { type: "tool.settled", ...id, result: result({ status: "failed", key: "failed" }) };
      return { type: "tool.intended", ...id, intent };
    case "execute_call":
    case "reconcile_call": {
      const status: CallResult["status"] = oneOf(pick, "done", "done", "failed", "cancelled", "unknown");
      const more = oneOf<Partial<CallResult>>(pick, {}, {}, { changes: [change] }, { todos: [] });
      return { type: "tool.settled", ...id, result: result({ status, key: `out${pick(2)}`, ...more }) };
    }
  }
}

function approval(id: { runId: string; callId: CallId }, state: SessionState, pick: Pick): EventBody {
  const asked = callState(state.run, id.callId)?.call;
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
    by: "person",
  };
}
