import type { Effect } from "../contract/effect.ts";
import { begin, closing } from "./calls.ts";
import { type CallState, openCalls, type RunCore, type RunState, type SessionState, type TaskState } from "./state.ts";

/** What to order again after a crash: exactly the effects whose answers the log does not hold (PS-4). */
export function pending(state: SessionState): readonly Effect[] {
  return [...lostJobs(state), ...unanswered(state)];
}

/** Their coder is gone, and with it what they wrote: what is left of them is ended. */
function lostJobs({ jobs }: SessionState): readonly Effect[] {
  return jobs.filter((job) => job.end === null).map(({ id }) => ({ type: "end_job", jobId: id }));
}

function unanswered(state: SessionState): readonly Effect[] {
  const { task } = state;
  if (task.phase === "IDLE") {
    const first = state.queue[0];
    return first ? [{ type: "start_task", inputId: first.inputId }] : [];
  }
  return task.phase === "EXECUTING" ? ofRun(task, state.run) : ofTask(task, state.run);
}

function ofTask(state: Exclude<TaskState, { phase: "IDLE" | "EXECUTING" }>, run: RunState): readonly Effect[] {
  const taskId = state.task.id;
  switch (state.phase) {
    case "INTAKE":
      return [{ type: "assess_task", taskId }];
    case "CLARIFYING":
      return [{ type: "ask_clarification", taskId, questions: state.questions }];
    case "CONTEXT_BUILDING":
      return [{ type: "build_context", taskId }];
    case "PLANNING":
      return [{ type: "settle_plan", taskId, words: state.words }];
    case "AWAITING_CONFIRMATION":
      return [{ type: "ask_plan", taskId }];
    case "VERIFYING":
      return [{ type: "run_checks", taskId }];
    case "RECOVERING":
      return state.stopping
        ? stopping(state.task.runId, run)
        : [{ type: "decide_recovery", taskId, cause: state.cause }];
    case "SUMMARIZING":
      return state.stopping ? stopping(state.task.runId, run) : [{ type: "summarize_task", taskId }];
    case "DONE":
      return [{ type: "end_task", taskId }];
  }
}

/** A cancel that was interrupted: the calls that ran may have effects, so they are reconciled before the rest is closed. */
function stopping(runId: string, run: RunState): readonly Effect[] {
  if (run.phase === "tool_running" && run.run.stopping === "closing") return closing(runId, run.calls);
  const ran = openCalls(run)
    .filter((one) => one.status === "executing")
    .map((one): Effect => ({ type: "reconcile_call", runId, callId: one.call.id }));
  return [...ran, { type: "stop_run", runId }];
}

function ofRun(task: Extract<TaskState, { phase: "EXECUTING" }>, state: RunState): readonly Effect[] {
  switch (state.phase) {
    case "preparing":
      return [{ type: "start_run", taskId: task.task.id, runId: state.run.id }];
    case "model_running": {
      const at = { runId: state.run.id, index: state.run.index, attempt: state.attempt };
      if (state.doing === "compacting") return [{ type: "compact", ...at }];
      return state.doing === "waiting" ? [{ type: "wait_retry", ...at, ms: 0 }] : [{ type: "call_model", ...at }];
    }
    case "tool_running":
    case "awaiting_human":
      return state.calls.flatMap((one) => ofCall(state.run, one));
    default:
      return [];
  }
}

function ofCall(run: RunCore, one: CallState): readonly Effect[] {
  const id = { runId: run.id, callId: one.call.id };
  switch (one.status) {
    case "deciding":
      return [begin(run.id, one.call, run.breakers)];
    case "asking":
      return [{ type: "ask_human", ...id }];
    case "intending":
      return [{ type: "intend_call", ...id }];
    case "executing":
      return [{ type: "reconcile_call", ...id }];
    default:
      return [];
  }
}
