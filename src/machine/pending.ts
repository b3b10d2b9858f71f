import type { Effect } from "../contract/effect.ts";
import { begin, closing, refusal } from "./calls.ts";
import { ordersOf } from "./checks.ts";
import {
  type CallState,
  coreOf,
  isRunOver,
  openCalls,
  type RunCore,
  type RunState,
  type SessionState,
  type TaskCore,
  type TaskState,
} from "./state.ts";

/** The effects to order again after a crash: exactly those whose answers the log does not hold (PS-4). */
export function pending(state: SessionState): readonly Effect[] {
  return [...lostJobs(state), ...unanswered(state)];
}

/** A job dies with the coder process that read its output, so what is left of it is stopped. */
function lostJobs({ jobs }: SessionState): readonly Effect[] {
  return jobs.filter((job) => job.end === null).map(({ id }) => ({ type: "end_job", jobId: id }));
}

function unanswered(state: SessionState): readonly Effect[] {
  const { task } = state;
  if (task.phase === "IDLE") {
    const first = state.queue[0];
    return first ? [{ type: "start_task", inputId: first.inputId }] : [];
  }
  if (isRunning(task) && state.outer && isRunOver(state.run))
    return [{ type: "settle_sub", runId: state.outer.run.run.id, callId: state.outer.callId }];
  return isRunning(task) && !isRunOver(state.run) ? ofRun(task.task, state.run) : ofTask(task, state.run);
}

function isRunning(task: TaskState): task is Exclude<TaskState, { phase: "IDLE" }> {
  switch (task.phase) {
    case "EXECUTING":
    case "VERIFYING":
      return true;
    case "PLANNING":
      return task.begun && task.plan === null;
    case "RECOVERING":
      return task.undoing === true;
    default:
      return false;
  }
}

function ofTask(state: Exclude<TaskState, { phase: "IDLE" }>, run: RunState): readonly Effect[] {
  const taskId = state.task.id;
  switch (state.phase) {
    case "INTAKE":
      return [{ type: "assess_task", taskId }];
    case "CLARIFYING":
      return [{ type: "ask_clarification", taskId, questions: state.questions }];
    case "CONTEXT_BUILDING":
      return [];
    case "PLANNING":
      return state.plan === null ? [] : [{ type: "settle_plan", taskId }];
    case "AWAITING_CONFIRMATION":
      return [{ type: "ask_plan", taskId }];
    case "EXECUTING":
      return [];
    case "VERIFYING":
      return ordersOf(state);
    case "RECOVERING":
      if (state.stopping) return stopping(state.task.runId, run);
      if (state.asks) return [{ type: "ask_clarification", taskId, questions: state.asks.questions }];
      return state.cause === "tools" || state.cause === "plan"
        ? [{ type: "decide_recovery", taskId, cause: state.cause }]
        : [];
    case "SUMMARIZING":
      return state.stopping ? stopping(state.task.runId, run) : [{ type: "summarize_task", taskId }];
    case "DONE":
      return [{ type: "end_task", taskId }];
  }
}

/** An interrupted cancel: executing calls may have had side effects, so they are reconciled before the rest is closed. */
function stopping(runId: string, run: RunState): readonly Effect[] {
  // A sub-agent's run may be the active one.
  const inner = coreOf(run)?.id ?? runId;
  if (run.phase === "tool_running" && run.run.stopping === "closing") return closing(inner, run.calls);
  const ran = openCalls(run)
    .filter((one) => one.status === "executing")
    .map((one): Effect => ({ type: "reconcile_call", runId: inner, callId: one.call.id }));
  return [...ran, { type: "stop_run", runId }];
}

function ofRun({ id: taskId }: TaskCore, state: RunState): readonly Effect[] {
  switch (state.phase) {
    case "preparing":
      return [{ type: "start_run", taskId, runId: state.run.id }];
    case "model_running": {
      const at = { runId: state.run.id, index: state.run.index, attempt: state.attempt };
      if (state.doing === "compacting") return [{ type: "compact", ...at }];
      return state.doing === "waiting" ? [{ type: "wait_retry", ...at, ms: 0 }] : [{ type: "call_model", ...at }];
    }
    case "tool_running":
    case "awaiting_human":
      if (state.held) return [{ type: "read_plan", runId: state.run.id }];
      return state.calls.flatMap((one) => ofCall(state.run, one));
    default:
      return [];
  }
}

function ofCall(run: RunCore, one: CallState): readonly Effect[] {
  const id = { runId: run.id, callId: one.call.id };
  switch (one.status) {
    case "deciding":
      return [begin(run.id, one.call, run.breakers, one.ahead === "judging")];
    case "asking":
      return [{ type: "ask_human", ...id }];
    case "intending":
      return [{ type: "intend_call", ...id }];
    case "executing":
      return [{ type: "reconcile_call", ...id }];
    default:
      return refusal(run.id, one);
  }
}
