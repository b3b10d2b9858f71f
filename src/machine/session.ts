import type { Effect } from "../contract/effect.ts";
import type { Event, EventOf } from "../contract/event.ts";
import type { Job } from "../contract/job.ts";
import type { Usage } from "../contract/message.ts";
import { preparing, reduceRun } from "./run.ts";
import { isRunOver, type QueuedInput, type SessionState, type TaskState } from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";
import { onRunEnd, reduceTask } from "./task.ts";

type SessionStep = Step<SessionState>;

/** The one reducer: resume = fold of the log with it. */
export function reduce(state: SessionState, event: Event): SessionStep {
  if (isStale(state, event)) return stale(state);
  // While a person is waited for, time does not count (SM-3).
  if (event.type === "task.timed_out" && state.run.phase === "awaiting_human") return stale(state);
  const own = reduceOwn(state, event);
  if (own) return own;
  return reduceMachines(state, event);
}

/** The one guard: an answer for an older run or task falls here. */
function isStale(state: SessionState, event: Event): boolean {
  // A process that runs is a fact, whatever has become of the task that started it.
  if (event.type === "job.started") return false;
  if ("runId" in event && event.type !== "task.started" && event.type !== "recovery.decided") {
    return !("run" in state.run) || state.run.run.id !== event.runId;
  }
  if ("taskId" in event && event.type !== "task.started") {
    return state.task.phase === "IDLE" || state.task.task.id !== event.taskId;
  }
  return false;
}

/** Events that concern the session itself and neither machine. */
function reduceOwn(state: SessionState, event: Event): SessionStep | null {
  switch (event.type) {
    case "session.started": {
      const { sessionId: id, workspace, addDirs, model, mode, preset } = event;
      return to({ ...state, id, workspace, addDirs, model, mode, preset });
    }
    case "session.resumed":
      return to({ ...state, mode: event.mode, preset: event.preset, model: event.model });
    case "history.restored":
      return to({ ...state, todos: event.todos });
    case "mode.changed":
      return to({ ...state, mode: event.mode });
    case "preset.changed":
      return to({ ...state, preset: event.preset });
    case "model.changed":
      return to({ ...state, model: event.model });
    case "notice.given":
    case "internal.reported":
    case "advice.given":
      return to(state);
    case "input.admitted":
      return admitted(state, event);
    case "input.delivered":
      return to({ ...state, queue: state.queue.filter((one) => !event.inputIds.includes(one.inputId)) });
    case "input.returned":
      return to({ ...state, queue: state.queue.filter((one) => !event.inputIds.includes(one.inputId)) });
    case "task.started":
      return taskStarted(state, event);
    case "job.started":
      return jobStarted(state, event);
    case "job.ended":
      return jobEnded(state, event);
    default:
      return null;
  }
}

/** Who types while a task runs is queued; nothing that was sent is ever lost (IN-5). */
function admitted(state: SessionState, event: EventOf<"input.admitted">): SessionStep {
  const { inputId, kind, delivery, text, call, schema } = event;
  const more = { ...(call ? { call } : {}), ...(schema === undefined ? {} : { schema }) };
  const input: QueuedInput = { inputId, kind, delivery, text, ...more };
  const next = { ...state, inputs: state.inputs + 1, queue: [...state.queue, input] };
  return withNextTask(to(next));
}

function withNextTask(step: SessionStep): SessionStep {
  const first = step.state.queue[0];
  if (step.state.task.phase !== "IDLE" || !first) return step;
  return { ...step, effects: [...step.effects, { type: "start_task", inputId: first.inputId }] };
}

function taskStarted(state: SessionState, event: EventOf<"task.started">): SessionStep {
  const input = state.queue.find((one) => one.inputId === event.inputId);
  if (state.task.phase !== "IDLE" || !input) return unexpected(state, state.task.phase, event.type);
  const { taskId: id, runId, limits } = event;
  const task: TaskState = {
    phase: "INTAKE",
    task: { id, input, runId, limits, assessment: null, plan: null, refusals: 0, checks: null },
  };
  const queue = state.queue.filter((one) => one !== input);
  const run = preparing(task.task);
  return to(
    { ...state, queue, task, run, tasks: state.tasks + 1, runs: state.runs + 1 },
    { type: "assess_task", taskId: id },
  );
}

function jobStarted(state: SessionState, event: EventOf<"job.started">): SessionStep {
  const { jobId: id, taskId, callId, command, pid, startTime } = event;
  if (state.jobs.some((job) => job.id === id)) return unexpected(state, "job", event.type);
  const job: Job = { id, taskId, callId, command, pid, startTime, end: null };
  return to({ ...state, jobs: [...state.jobs, job], jobsStarted: state.jobsStarted + 1 });
}

/** So many ended ones stay known: their output can still be asked for. */
const ENDED_JOBS = 16;

function jobEnded(state: SessionState, event: EventOf<"job.ended">): SessionStep {
  const { fate, exitCode, signal, tail } = event;
  const ending = state.jobs.find((job) => job.id === event.jobId && job.end === null);
  if (!ending) return stale(state);
  const ended: Job = { ...ending, end: { fate, exitCode, signal, tail } };
  // Behind all others: the ended ones are then in the order of their ends, and the first of them is forgotten first.
  const jobs = [...state.jobs.filter((job) => job !== ending), ended];
  const surplus = jobs.filter((job) => job.end !== null).length - ENDED_JOBS;
  const oldest = surplus > 0 ? jobs.find((job) => job.end !== null) : undefined;
  return to({ ...state, jobs: jobs.filter((job) => job !== oldest) });
}

/** Which events the run machine hears; cancel and time-out are heard by both. */
function isForRun(event: Event): boolean {
  return "runId" in event && event.type !== "recovery.decided"
    ? true
    : event.type === "cancel.requested" || event.type === "task.timed_out";
}

function isForTask(event: Event): boolean {
  return !("runId" in event) || event.type === "recovery.decided";
}

function reduceMachines(state: SessionState, event: Event): SessionStep {
  const effects: Effect[] = [];
  let accepted = false;
  let { task, run } = state;
  // The run has its id from the task's first moment, but nothing of it starts before the task executes.
  if (event.type === "run.started" && isEarly(state)) return unexpected(state, task.phase, event.type);
  const before = state.run;
  if (isForTask(event)) {
    const step = reduceTask(task, event);
    task = step.state;
    accepted ||= step.accepted;
    effects.push(...step.effects);
    if (event.type === "recovery.decided" && step.accepted && task.phase === "EXECUTING") run = preparing(task.task);
  }
  if (isForRun(event) && (isForTask(event) ? accepted : true)) {
    const step = reduceRun(run, event, steerOf(state));
    run = step.state;
    accepted ||= step.accepted;
    effects.push(...step.effects);
  }
  // A run that was over before the cancel has no end of its own left: run.stopped then speaks for it.
  if (isRunOver(run) && (!isRunOver(before) || event.type === "run.stopped")) {
    const step = onRunEnd(task, run);
    task = step.state;
    accepted ||= step.accepted;
    effects.push(...step.effects);
  }
  if (!accepted) return { state, effects, accepted };
  return afterwards(state, { ...carry(state, event), task, run }, event, effects);
}

function isEarly(state: SessionState): boolean {
  return state.run.phase === "preparing" && state.run.run.stopping === "no" && state.task.phase !== "EXECUTING";
}

function steerOf(state: SessionState): readonly string[] {
  return state.queue.filter((one) => one.delivery === "steer" && one.kind === "task").map((one) => one.inputId);
}

/** What events leave behind outside the two machines. */
function carry(state: SessionState, event: Event): SessionState {
  switch (event.type) {
    case "model.replied":
      return { ...state, usage: add(state.usage, event.reply.usage) };
    case "context.compacted": {
      const { pruneBefore, trimBefore } = event.compaction;
      return { ...state, view: { pruneBefore, trimBefore } };
    }
    case "tool.settled":
      return event.result.todos ? { ...state, todos: event.result.todos } : state;
    case "recovery.decided":
      return event.repairable ? { ...state, runs: state.runs + 1 } : state;
    default:
      return state;
  }
}

function afterwards(before: SessionState, state: SessionState, event: Event, effects: Effect[]): SessionStep {
  if (event.type === "cancel.requested" && before.queue.length > 0) {
    effects.push({ type: "return_input", inputIds: before.queue.map((one) => one.inputId) });
  }
  const step: SessionStep = { state, effects, accepted: true };
  return event.type === "task.ended" ? withNextTask(step) : step;
}

function add(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cachedInput: a.cachedInput + b.cachedInput,
    reasoning: a.reasoning + b.reasoning,
  };
}
