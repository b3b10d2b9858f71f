import type { CancelSource, Event, EventOf } from "../contract/event.ts";
import type { PlanStep } from "../contract/plan.ts";
import type { Blockage, Question } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { reduceChecks, toSummary, toVerifying } from "./checks.ts";
import { isStuckOnCall } from "./failed-call.ts";
import { coreOf, type RunState, type TaskCore, type TaskEnd, type TaskState } from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";

type TaskStep = Step<TaskState>;

/** A second "no" to a plan ends the task (SM-3). */
const MAX_REFUSALS = 2;

/** The task machine (SM-1…3). `isStale` has already dropped events of other tasks. */
export function reduceTask(state: TaskState, event: Event): TaskStep {
  if (event.type === "cancel.requested") return cancelled(state, event.source);
  if (event.type === "task.timed_out") return timedOut(state);
  switch (state.phase) {
    case "INTAKE":
      if (event.type === "task.assessed") return assessed(state.task, event);
      break;
    case "CLARIFYING":
      if (event.type === "clarification.unanswered")
        return toSummary(state.task, { stop: "NEEDS_ANSWER", error: null, note: phrase("run.needs_answer") });
      if (event.type === "clarification.answered") return toContext(state.task);
      break;
    case "CONTEXT_BUILDING":
      if (event.type === "context.built")
        return toPlanning({ task: state.task, words: "", plan: state.task.input.plan ?? null, begun: false });
      break;
    case "PLANNING":
      // Only a plan in a reply can be requested again.
      if (event.type === "plan.rejected" && state.begun)
        return to({ ...state, plan: null, task: { ...state.task, unsound: state.task.unsound + 1 } });
      if (event.type === "plan.settled") return planned(state, event);
      break;
    case "AWAITING_CONFIRMATION":
      if (event.type === "plan.answered") return planAnswered(state, event);
      break;
    case "VERIFYING":
      return reduceChecks(state, event);
    case "RECOVERING":
      return reduceRecovery(state, event);
    case "SUMMARIZING": {
      // While the run is still stopping, no summary was ordered.
      if (event.type !== "task.summarized" || state.stopping) return late(state, event, state.cancelled !== null);
      return to(
        { phase: "DONE", task: state.task, end: state.end, cancelled: state.cancelled, summary: event.summary },
        { type: "end_task", taskId: state.task.id },
      );
    }
    case "DONE":
      if (event.type === "task.ended") return to({ phase: "IDLE" });
  }
  return unexpected(state, state.phase, event.type);
}

/** After a cancel or time-out, answers that were already on their way are expected and ignored. */
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
  return to({ phase: "CONTEXT_BUILDING", task });
}

type Planning = Extract<TaskState, { phase: "PLANNING" }>;
type Awaiting = Extract<TaskState, { phase: "AWAITING_CONFIRMATION" }>;

/** The plan of a complex task, or the one after a refusal, is requested in and read from a reply (SM-4). */
function toPlanning({ task, words, plan, begun }: Omit<Planning, "phase">): TaskStep {
  const state = { phase: "PLANNING", task, words, plan, begun } as const;
  if (plan !== null) return to(state, { type: "settle_plan", taskId: task.id });
  if (begun) return to(state);
  const isInReply = task.input.kind === "task" && (task.assessment?.complexity === "complex" || task.refusals > 0);
  if (!isInReply) return to(state);
  return to({ ...state, begun: true }, { type: "start_run", taskId: task.id, runId: task.runId });
}

function planned({ task, begun }: Planning, event: EventOf<"plan.settled">): TaskStep {
  if (!event.plan || !event.needsConfirmation) return begun ? to({ phase: "EXECUTING", task }) : toExecuting(task);
  const listed = event.listed ? { listed: event.listed } : {};
  const next = { phase: "AWAITING_CONFIRMATION", task, plan: event.plan, begun, ...listed } as const;
  return to(next, { type: "ask_plan", taskId: task.id });
}

function planAnswered({ task, plan, begun }: Awaiting, event: EventOf<"plan.answered">): TaskStep {
  const { words } = event;
  if (event.answer === "yes") return begun ? to({ phase: "EXECUTING", task }) : toExecuting(task);
  if (event.answer === "edit") {
    const edited = event.plan ?? plan;
    const advice = phrase("run.plan_edited", { plan: JSON.stringify(edited), words });
    return withAdvice(toPlanning({ task, words, plan: edited, begun }), task, begun ? null : advice);
  }
  const refused = { ...task, refusals: task.refusals + 1 };
  if (refused.refusals < MAX_REFUSALS) {
    const advice = phrase(words ? "run.plan_refused_with_words" : "run.plan_refused", { words });
    return withAdvice(toPlanning({ task: refused, words, plan: null, begun }), task, begun ? null : advice);
  }
  const end = { stop: "DENIED", error: null, note: phrase("task.plan_refused") } as const;
  if (!begun) return toSummary(refused, end);
  const next = { phase: "SUMMARIZING", task: refused, end, cancelled: null, stopping: true } as const;
  return to(next, { type: "stop_run", runId: task.runId });
}

/** A run that has begun tells its model itself; otherwise the new run starts with this advice. */
function withAdvice(step: TaskStep, { runId }: TaskCore, text: Phrase | null): TaskStep {
  return text === null ? step : { ...step, effects: [{ type: "give_advice", runId, text }, ...step.effects] };
}

function toExecuting(task: TaskCore): TaskStep {
  return to({ phase: "EXECUTING", task }, { type: "start_run", taskId: task.id, runId: task.runId });
}

/** Called by the session, because the end of a run is not an event. */
export function onRunEnd(state: TaskState, run: RunState, blocked: PlanStep | null): TaskStep {
  const waits = (state.phase === "SUMMARIZING" || state.phase === "RECOVERING") && state.stopping;
  if (waits) {
    if (state.phase === "RECOVERING") return recovering({ ...state, stopping: false });
    return to({ ...state, stopping: false }, { type: "summarize_task", taskId: state.task.id });
  }
  if (state.phase === "VERIFYING") return to(state, { type: "judge_check", taskId: state.task.id });
  if (state.phase === "RECOVERING" && state.undoing) {
    const { undoing: _, ...left } = state;
    const task = coreOf(run)?.hasDone ? { ...state.task, tookBack: true as const } : state.task;
    const isCut = state.cause === "timeout" || state.cause === "cancel";
    if (!isCut && task.limits.endsByFacts && run.phase === "completed" && run.end.stop === "COMPLETED")
      return toVerifying(task, state.end, true);
    return recovering({ ...left, task });
  }
  if (state.phase !== "EXECUTING" && state.phase !== "PLANNING") return stale(state);
  const { task } = state;
  if (task.failed && run.phase === "completed") return toVerifying(task, task.failed);
  if (run.phase === "failed") return toRecovery(task, "run", run.end);
  if (run.phase !== "completed") return stale(state);
  const { stop } = run.end;
  const { recovers = false } = task.limits;
  if (blocked && (stop === "COMPLETED" || (stop === "DENIED" && recovers))) {
    const denied = run.end.denied || stop === "DENIED";
    const isDenied = denied || run.run.failure?.error?.code === "E_POLICY_DENIED";
    if (recovers || !denied) return toUnblock(task, blocked, isDenied ? "DENIED" : "BLOCKED");
    return toVerifying(task, { ...run.end, stop: "DENIED" });
  }
  if (recovers && stop === "MAX_ITER" && isStuckOnCall(run.run)) return toRecovery(task, "tools", run.end);
  return toVerifying(task, task.denied ? { ...run.end, denied: true } : run.end);
}

type Recovering = Extract<TaskState, { phase: "RECOVERING" }>;

function toRecovery(task: TaskCore, cause: Recovering["cause"], end: TaskEnd): TaskStep {
  return recovering({ phase: "RECOVERING", task, cause, end, stopping: false });
}

/** Only failed calls and blocked steps need the engine's decision; everything else follows from the state. */
function recovering(state: Recovering): TaskStep {
  const { cause } = state;
  return cause === "tools" || cause === "plan"
    ? to(state, { type: "decide_recovery", taskId: state.task.id, cause })
    : to(state);
}

/** SM-3: a plan step that cannot be done. Earlier work is checked only if another way is found. */
function toUnblock(task: TaskCore, { id, title }: PlanStep, stop: "BLOCKED" | "DENIED"): TaskStep {
  return toRecovery(task, "plan", { stop, error: null, note: phrase("task.plan_blocked", { id, title }) });
}

function reduceRecovery(state: Recovering, event: Event): TaskStep {
  if (event.type === "recovery.decided") return recovered(state, event);
  if (state.asks && event.type === "clarification.answered")
    return toExecuting({ ...state.task, runId: state.asks.runId });
  if (state.asks && event.type === "clarification.unanswered") return toSummary(state.task, state.end);
  return late(state, event, state.cause === "timeout" || state.cause === "cancel");
}

function recovered(state: Recovering, event: EventOf<"recovery.decided">): TaskStep {
  if (state.stopping || state.undoing || state.asks) return unexpected(state, "RECOVERING (still busy)", event.type);
  const { blockage, note } = event;
  const end = { ...state.end, ...(blockage ? { blockage } : {}), ...(note ? { note } : {}) };
  if (!event.repairable) {
    const { state: summarizing, ...rest } = toSummary(state.task, end);
    if (state.cancelled === undefined || summarizing.phase !== "SUMMARIZING") return { state: summarizing, ...rest };
    return { state: { ...summarizing, cancelled: state.cancelled }, ...rest };
  }
  const rungs = event.rung ? [...state.task.rungs, event.rung] : state.task.rungs;
  if (event.rung === "ask" && event.blockage)
    return toAsking({ ...state, task: { ...state.task, rungs }, end }, event.blockage, event.runId);
  const task = { ...state.task, rungs, runId: event.runId };
  // A requested JSON answer gets one more try, even when the work has failed.
  if (event.rung === "answer" && state.cause !== "answer")
    return toExecuting({ ...task, unfit: task.problems ?? [], failed: end });
  if (event.rung !== "rollback") return toExecuting(task);
  return to({ ...state, task, undoing: true }, { type: "start_run", taskId: task.id, runId: task.runId });
}

/** The old run stays the task's until the answer starts the next one, so that a cancel in between targets it. */
function toAsking(state: Recovering, { what, steps }: Blockage, runId: string): TaskStep {
  const options = [phrase("recovery.option.done"), phrase("recovery.option.without")];
  const questions: readonly Question[] = [{ question: phrase("recovery.question", { what, steps }), options }];
  return to({ ...state, asks: { questions, runId } }, { type: "ask_clarification", taskId: state.task.id, questions });
}

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
  if (state.phase === "IDLE" || state.phase === "DONE" || state.phase === "SUMMARIZING") return stale(state);
  const { task } = state;
  const end: TaskEnd =
    source === "internal"
      ? { stop: "BLOCKED", error: { code: "E_INTERNAL", text: phrase("task.internal") }, note: null }
      : { stop: "CANCELLED", error: { code: "E_CANCELLED", text: phrase("cancel.line1") }, note: null };
  // A second CANCEL, and one of our own, wait for nothing.
  const undoes = task.limits.undoesTries === true && source !== "internal" && !("cancelled" in state);
  const next: TaskState = undoes
    ? { phase: "RECOVERING", task, cause: "cancel", end, stopping: true, cancelled: source }
    : { phase: "SUMMARIZING", task, end, cancelled: source, stopping: true };
  // A time-out has already ordered `stop_run`.
  if (state.phase === "RECOVERING" && state.stopping) return to(next);
  return to(next, { type: "stop_run", runId: task.runId });
}
