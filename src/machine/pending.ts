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
  withoutSubs,
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
  if (!isRunning(task) || isRunOver(state.run)) return ofTask(task, state);
  const { id } = state.run.run;
  const ofSubs = state.subs.flatMap(({ run, callId }) =>
    isRunOver(run) ? [{ type: "settle_sub", runId: id, callId } as const] : ofRun(task.task, run),
  );
  return [...ofRun(task.task, withoutSubs(state)), ...ofSubs];
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

function ofTask(state: Exclude<TaskState, { phase: "IDLE" }>, session: SessionState): readonly Effect[] {
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
      if (state.stopping) return stopping(state.task.runId, session);
      if (state.asks) return [{ type: "ask_clarification", taskId, questions: state.asks.questions }];
      return state.cause === "tools" || state.cause === "plan"
        ? [{ type: "decide_recovery", taskId, cause: state.cause }]
        : [];
    case "SUMMARIZING":
      return state.stopping ? stopping(state.task.runId, session) : [{ type: "summarize_task", taskId }];
    case "DONE":
      return [{ type: "end_task", taskId }];
  }
}

/** An interrupted cancel: executing calls may have had side effects, so they are reconciled before the rest is closed. */
function stopping(runId: string, session: SessionState): readonly Effect[] {
  const runs = [withoutSubs(session), ...session.subs.map(({ run }) => run)];
  const closed = runs.filter((run) => !isRunOver(run) && run.run.stopping === "closing");
  if (closed.length > 0) return closed.flatMap(closingOf);
  return [...runs.flatMap(reconciles), { type: "stop_run", runId }];
}

function closingOf(run: RunState): readonly Effect[] {
  return closing(coreOf(run)?.id ?? "", openCalls(run));
}

function reconciles(run: RunState): readonly Effect[] {
  const { id: runId = "" } = coreOf(run) ?? {};
  const ran = openCalls(run).filter((one) => one.status === "executing");
  return ran.map(({ call }) => ({ type: "reconcile_call", runId, callId: call.id }));
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
