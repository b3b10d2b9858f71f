import type { CancelSource, Event, EventOf } from "../contract/event.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { RunState, TaskCore, TaskEnd, TaskState } from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";

type TaskStep = Step<TaskState>;

/** A second "no" to a plan ends the task (SM-3). */
const MAX_REFUSALS = 2;

/** The task machine (SM-1…3). Events of other tasks have already fallen at the guard. */
export function reduceTask(state: TaskState, event: Event): TaskStep {
  if (event.type === "cancel.requested") return cancelled(state, event.source);
  if (event.type === "task.timed_out") return timedOut(state);
  switch (state.phase) {
    case "IDLE":
      return unexpected(state, state.phase, event.type);
    case "INTAKE":
      return event.type === "task.assessed" ? assessed(state.task, event) : unexpected(state, state.phase, event.type);
    case "CLARIFYING":
      return event.type === "clarification.answered"
        ? toContext(state.task)
        : unexpected(state, state.phase, event.type);
    case "CONTEXT_BUILDING":
      return event.type === "context.built" ? toPlanning(state.task, "") : unexpected(state, state.phase, event.type);
    case "PLANNING":
      return event.type === "plan.settled" ? planned(state, event) : unexpected(state, state.phase, event.type);
    case "AWAITING_CONFIRMATION":
      return event.type === "plan.answered" ? planAnswered(state, event) : unexpected(state, state.phase, event.type);
    case "EXECUTING":
      return unexpected(state, state.phase, event.type);
    case "VERIFYING":
      return event.type === "checks.finished" ? checked(state, event) : unexpected(state, state.phase, event.type);
    case "RECOVERING":
      return event.type === "recovery.decided"
        ? recovered(state, event)
        : late(state, event, state.cause === "timeout");
    case "SUMMARIZING": {
      // A summary of what has not stopped yet was never ordered.
      if (event.type !== "task.summarized" || state.stopping) return late(state, event, state.cancelled !== null);
      return to(
        { phase: "DONE", task: state.task, summary: event.summary },
        { type: "end_task", taskId: state.task.id },
      );
    }
    case "DONE":
      return event.type === "task.ended" ? to({ phase: "IDLE" }) : unexpected(state, state.phase, event.type);
  }
}

/** After a cancel or a time-out, answers that were already on their way are expected and mean nothing. */
function late(state: TaskState, event: Event, wasStopped: boolean): TaskStep {
  return wasStopped ? stale(state) : unexpected(state, state.phase, event.type);
}

function assessed(before: TaskCore, event: EventOf<"task.assessed">): TaskStep {
  const task = { ...before, assessment: event.assessment };
  const questions = event.assessment.missing;
  if (questions.length === 0) return toContext(task);
  return to({ phase: "CLARIFYING", task, questions }, { type: "ask_clarification", taskId: task.id, questions });
}

function toContext(task: TaskCore): TaskStep {
  return to({ phase: "CONTEXT_BUILDING", task }, { type: "build_context", taskId: task.id });
}

function toPlanning(task: TaskCore, words: string): TaskStep {
  return to({ phase: "PLANNING", task, words }, { type: "settle_plan", taskId: task.id, words });
}

function planned(state: Extract<TaskState, { phase: "PLANNING" }>, event: EventOf<"plan.settled">): TaskStep {
  const task = { ...state.task, plan: event.plan };
  if (event.plan && event.needsConfirmation) {
    return to({ phase: "AWAITING_CONFIRMATION", task, plan: event.plan }, { type: "ask_plan", taskId: task.id });
  }
  return toExecuting(task);
}

function planAnswered(
  state: Extract<TaskState, { phase: "AWAITING_CONFIRMATION" }>,
  event: EventOf<"plan.answered">,
): TaskStep {
  const { task } = state;
  if (event.answer === "yes") return toExecuting(task);
  if (event.answer === "edit") return toPlanning({ ...task, plan: event.plan ?? state.plan }, event.words);
  const refusals = task.refusals + 1;
  if (refusals < MAX_REFUSALS) return toPlanning({ ...task, refusals }, event.words);
  return toSummary({ ...task, refusals }, { stop: "DENIED", error: null, note: phrase("task.plan_refused") });
}

function toExecuting(task: TaskCore): TaskStep {
  return to({ phase: "EXECUTING", task }, { type: "start_run", taskId: task.id, runId: task.runId });
}

function toSummary(task: TaskCore, end: TaskEnd): TaskStep {
  return to(
    { phase: "SUMMARIZING", task, end, cancelled: null, stopping: false },
    { type: "summarize_task", taskId: task.id },
  );
}

/** The run machine reached its end; called by the session, since that is no event of its own. */
export function onRunEnd(state: TaskState, run: RunState): TaskStep {
  const waits = (state.phase === "SUMMARIZING" || state.phase === "RECOVERING") && state.stopping;
  if (waits) {
    const order =
      state.phase === "SUMMARIZING"
        ? ({ type: "summarize_task", taskId: state.task.id } as const)
        : ({ type: "decide_recovery", taskId: state.task.id, cause: state.cause } as const);
    return to({ ...state, stopping: false }, order);
  }
  if (state.phase !== "EXECUTING") return stale(state);
  const { task } = state;
  if (run.phase === "completed")
    return to({ phase: "VERIFYING", task, end: run.end }, { type: "run_checks", taskId: task.id });
  if (run.phase === "failed") {
    return to(
      { phase: "RECOVERING", task, cause: "run", end: run.end, stopping: false },
      { type: "decide_recovery", taskId: task.id, cause: "run" },
    );
  }
  return stale(state);
}

function checked(state: Extract<TaskState, { phase: "VERIFYING" }>, event: EventOf<"checks.finished">): TaskStep {
  const task = { ...state.task, checks: event.result };
  if (event.result.kind !== "fail") return answered(task, state.end, event.answer ?? []);
  return to(
    {
      phase: "RECOVERING",
      task,
      cause: "checks",
      end: { stop: "BLOCKED", error: event.result.error, note: null },
      stopping: false,
    },
    { type: "decide_recovery", taskId: task.id, cause: "checks" },
  );
}

/** An answer that does not fit its schema is sent back once; a second one that does not is the task's failure. */
function answered(task: TaskCore, end: TaskEnd, problems: readonly string[]): TaskStep {
  if (problems.length === 0 || end.stop !== "COMPLETED") return toSummary(task, end);
  const text = phrase("answer.unfit", { problems: problems.join("; ") });
  const unfit: TaskEnd = {
    stop: "BLOCKED",
    error: { code: "E_BUILD_FAIL", text, advice: phrase("answer.unfit.advice"), sideEffect: "none" },
    note: null,
  };
  if (task.unfit) return toSummary(task, unfit);
  return to(
    { phase: "RECOVERING", task: { ...task, unfit: problems }, cause: "answer", end: unfit, stopping: false },
    { type: "decide_recovery", taskId: task.id, cause: "answer" },
  );
}

function recovered(state: Extract<TaskState, { phase: "RECOVERING" }>, event: EventOf<"recovery.decided">): TaskStep {
  if (state.stopping) return unexpected(state, "RECOVERING (still stopping)", event.type);
  if (!event.repairable) return toSummary(state.task, state.end);
  return toExecuting({ ...state.task, runId: event.runId });
}

/** While a person is waited for, time does not count (SM-3). */
function timedOut(state: TaskState): TaskStep {
  switch (state.phase) {
    case "IDLE":
    case "CLARIFYING":
    case "AWAITING_CONFIRMATION":
    case "RECOVERING":
    case "SUMMARIZING":
    case "DONE":
      return stale(state);
    default: {
      const end = { stop: "BUDGET", error: null, note: phrase("task.timed_out") } as const;
      return to(
        { phase: "RECOVERING", task: state.task, cause: "timeout", end, stopping: true },
        { type: "stop_run", runId: state.task.runId },
      );
    }
  }
}

/** CANCEL leads from every state to SUMMARIZING(cancelled); the summary waits until everything has stopped. */
function cancelled(state: TaskState, source: CancelSource): TaskStep {
  if (state.phase === "IDLE" || state.phase === "DONE") return stale(state);
  if (state.phase === "SUMMARIZING") return stale(state);
  const { task } = state;
  const end: TaskEnd =
    source === "internal"
      ? { stop: "BLOCKED", error: { code: "E_INTERNAL", text: phrase("task.internal") }, note: null }
      : { stop: "CANCELLED", error: { code: "E_CANCELLED", text: phrase("cancel.line1") }, note: null };
  const next: TaskState = { phase: "SUMMARIZING", task, end, cancelled: source, stopping: true };
  // A run that a time-out is already stopping is not ordered to stop twice.
  if (state.phase === "RECOVERING" && state.stopping) return to(next);
  return to(next, { type: "stop_run", runId: task.runId });
}
