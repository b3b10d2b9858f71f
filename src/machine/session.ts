import type { Effect } from "../contract/effect.ts";
import type { Event, EventOf } from "../contract/event.ts";
import type { TaskId } from "../contract/ids.ts";
import type { Job } from "../contract/job.ts";
import { blockedStep, carry, following, paidAside, withSaid } from "./carry.ts";
import { driveOn } from "./drive.ts";
import { goOn } from "./go-on.ts";
import { type Around, alone, type Inherited, preparing, reduceRun } from "./run.ts";
import {
  coreOf,
  currentTask,
  isAsking,
  isRunOver,
  notDriven,
  type RunState,
  runsOf,
  type SessionState,
  type SubRun,
  subWith,
  type TaskCore,
  type TaskState,
} from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";
import {
  isAskingBeside,
  leaveSub,
  reduceSub,
  spentBeside,
  startSub,
  stopSubs,
  treeStopped,
  withPrompt,
} from "./sub.ts";
import { onRunEnd, reduceTask } from "./task.ts";

type SessionStep = Step<SessionState>;

/** The one reducer: resuming folds the log with it. */
export function reduce(state: SessionState, event: Event): SessionStep {
  if (isStale(state, event)) return stale(state);
  // The clock is paused while we wait for the user (SM-3).
  if (event.type === "task.timed_out" && isAsking(state)) return stale(state);
  const own = reduceOwn(state, event);
  if (own) return own;
  return state.subs.length === 0 ? reduceMachines(state, event) : reduceTree(state, state.subs, event);
}

/** TL-5: each event goes to its run; the end of a call around a sub-agent also ends that one's part in the tree. */
function reduceTree(state: SessionState, subs: readonly SubRun[], event: Event): SessionStep {
  if (!("runId" in event) || startsRun(event) || event.runId === undefined)
    return withPrompt(reduceMachines(state, event));
  const sub = subWith(state, event.runId);
  if (sub) return withPrompt(reduceSub(state, sub, event));
  if (event.type === "run.stopped") return treeStopped(state, event);
  const ended = event.type === "tool.settled" ? subs.find(({ callId }) => callId === event.callId) : undefined;
  if (!ended) return withPrompt(reduceMachines(state, event));
  if (!isRunOver(ended.run)) return unexpected(state, ended.run.phase, event.type);
  return withPrompt(reduceMachines(leaveSub(state, ended.callId), event));
}

/** The only place where answers to an older run or task are dropped. */
function isStale(state: SessionState, event: Event): boolean {
  // A started process is a fact, whatever became of its task; so is a cut reply.
  if (event.type === "job.started" || event.type === "reply.cut") return false;
  if ("runId" in event && !startsRun(event)) {
    return !runsOf(state).some((run) => coreOf(run)?.id === event.runId);
  }
  if (!("taskId" in event) || event.type === "task.started" || event.type === "task.continued") return false;
  return currentTask(state)?.id !== event.taskId;
}

function inMode(state: SessionState, mode: SessionState["mode"]): SessionState {
  return { ...state, mode, knowsYolo: state.knowsYolo || mode === "yolo" };
}

function reduceOwn(state: SessionState, event: Event): SessionStep | null {
  switch (event.type) {
    case "session.started": {
      const { sessionId: id, workspace, addDirs, model, mode, preset, forkedFrom, prompt = state.prompt } = event;
      const at =
        event.rewound && forkedFrom !== null ? { from: forkedFrom, ...event.rewound, tasks: state.tasks } : null;
      return to({ ...inMode(state, mode), id, workspace, addDirs, model, preset, prompt, rewound: at });
    }
    case "session.resumed": {
      const { mode, preset, model, prompt = state.prompt } = event;
      return to({ ...inMode(state, mode), preset, model, prompt });
    }
    case "aside.answered":
      return to(paidAside(state, event));
    case "session.renamed":
      return to({ ...state, title: event.title });
    case "session.moved":
      return to({ ...state, workspace: event.to });
    case "history.restored":
      return to({ ...state, todos: event.todos });
    case "mode.changed":
      return to(inMode(state, event.mode));
    case "plan.changed":
      return to(following(state, event.plan, currentTask(state)?.id ?? state.planTask));
    case "constraints.said":
      return to(withSaid(state, event.constraints));
    case "preset.changed":
      return to({ ...state, preset: event.preset });
    case "model.changed":
      return to({ ...state, model: event.model });
    case "context.compacted":
      // Compaction on demand happens only between tasks: during one it could cut into a step.
      if (event.runId !== undefined) return null;
      return state.task.phase === "IDLE" ? to(carry(state, event)) : stale(state);
    case "notice.given":
    case "rules.read":
    case "overview.given":
    case "internal.reported":
    case "advice.given":
    case "reply.cut":
      return to(state);
    case "input.admitted":
      return admitted(state, event);
    case "input.delivered":
      return to({ ...state, queue: state.queue.filter((one) => !event.inputIds.includes(one.inputId)) });
    case "input.returned":
      return returned(state, event);
    case "task.started":
      return taskStarted(state, event);
    case "task.continued":
      return goOn(state, event);
    case "sub.started":
      return startSub(state, event);
    case "job.started":
      return jobStarted(state, event);
    case "job.ended":
      return jobEnded(state, event);
    default:
      return null;
  }
}

/** Input during a task is queued; nothing that was sent is ever lost (IN-5). */
function admitted(state: SessionState, event: EventOf<"input.admitted">): SessionStep {
  const { v: _v, at: _at, type: _type, shown: _shown, typed: _typed, attachments: _files, ...input } = event;
  const next = { ...state, inputs: state.inputs + 1, queue: [...state.queue, input] };
  return withNextTask(to(next));
}

/** Only queued input can be returned: delivered input stays, and the caller is told. */
function returned(state: SessionState, { inputIds }: EventOf<"input.returned">): SessionStep {
  const queue = state.queue.filter((one) => !inputIds.includes(one.inputId));
  if (queue.length === state.queue.length) return stale(state);
  const step = to({ ...state, queue });
  // If the first input is returned, its `start_task` is still ordered, and finds nothing to start.
  return queue[0] === state.queue[0] ? step : withNextTask(step);
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
    task: { ...fresh, id, input, runId, limits, startedAt: new Date(event.at).toISOString() },
  };
  const queue = state.queue.filter((one) => one !== input);
  const run = preparing(task.task, input.kind === "task" ? "model" : "calls");
  return to(
    {
      ...state,
      queue,
      task,
      stopped: input.kind === "task" ? null : state.stopped,
      run,
      checksRun: 0,
      replans: 0,
      planTask: null,
      ...(input.kind === "task" ? newList(state, id, input.text) : {}),
      grant: null,
      tasks: state.tasks + 1,
      runs: state.runs + 1,
    },
    { type: "assess_task", taskId: id },
  );
}

const LEFT_LISTS = 20;

/** A new task begins a new list; an unfinished older one is kept. */
function newList({ todos, leftTodos, listTask }: SessionState, taskId: TaskId, text: string): Partial<SessionState> {
  const isLeft = todos.some(({ status }) => status !== "completed");
  const left = { ...(listTask ?? { taskId: "", title: "" }), todos };
  const title = text.split("\n", 1)[0]?.slice(0, 200) ?? "";
  const all = isLeft ? [...leftTodos, left].slice(-LEFT_LISTS) : leftTodos;
  return { todos: [], listTask: { taskId, title }, leftTodos: all, driven: notDriven };
}

const fresh = { assessment: null, refusals: 0, unsound: 0, checks: null, rounds: [], rungs: [] } as const;

function jobStarted(state: SessionState, event: EventOf<"job.started">): SessionStep {
  const { jobId: id, taskId, callId, command, pid, startTime, by } = event;
  if (state.jobs.some((job) => job.id === id)) return unexpected(state, "job", event.type);
  const job: Job = { id, taskId, callId, command, pid, startTime, ...(by && { by }), end: null };
  return to({ ...state, jobs: [...state.jobs, job], jobsStarted: state.jobsStarted + 1 });
}

/** How many ended jobs are kept: their output can still be requested. */
const ENDED_JOBS = 16;

function jobEnded(state: SessionState, event: EventOf<"job.ended">): SessionStep {
  const { fate, exitCode, signal, tail } = event;
  const ending = state.jobs.find((job) => job.id === event.jobId && job.end === null);
  if (!ending) return stale(state);
  const ended: Job = { ...ending, end: { fate, exitCode, signal, tail } };
  // Keeps ended jobs in the order of their ends, so that the oldest is forgotten first.
  const jobs = [...state.jobs.filter((job) => job !== ending), ended];
  const surplus = jobs.filter((job) => job.end !== null).length - ENDED_JOBS;
  const oldest = surplus > 0 ? jobs.find((job) => job.end !== null) : undefined;
  return to({ ...state, jobs: jobs.filter((job) => job !== oldest) });
}

/** Events for the run machine: plan events only if a reply waits for its plan; cancel and time-out always. */
function isForRun(event: Event, run: RunState): boolean {
  if (isAboutPlan(event)) return isHeld(run);
  return !isForTask(event) || isStop(event);
}

function isForTask(event: Event): boolean {
  return !("runId" in event) || startsRun(event);
}

type RunStart = EventOf<"task.started" | "recovery.decided" | "checks.chosen" | "check.judged">;

/** Events whose run id names a run that does not exist yet. */
function startsRun(event: Event): event is RunStart {
  const { type } = event;
  return type === "task.started" || type === "recovery.decided" || type === "checks.chosen" || type === "check.judged";
}

function isAboutPlan({ type }: Event): boolean {
  return type === "plan.settled" || type === "plan.answered" || type === "plan.rejected";
}

function reduceMachines(state: SessionState, event: Event): SessionStep {
  const refused = refusedEvent(state, event);
  if (refused) return refused;
  const effects: Effect[] = [];
  let accepted = false;
  let { task, run, subs } = state;
  const before = state.run;
  if (isForTask(event)) {
    const step = reduceTask(task, event);
    task = step.state;
    accepted ||= step.accepted;
    effects.push(...step.effects);
    run = runAfterOrders(run, task, event, effects);
    if (accepted && isStop(event)) subs = stopSubs(subs, event);
  }
  let carried = carry(state, event);
  if (isForRun(event, run) && (isForTask(event) ? accepted : true)) {
    const step = reduceRun(run, event, aroundOf(state));
    accepted ||= step.accepted;
    const drive = step.accepted ? driveOn({ ...carried, task }, run, step) : null;
    carried = drive?.session ?? carried;
    run = drive?.step.state ?? step.state;
    effects.push(...(drive?.step.effects ?? step.effects));
  }
  // A run that ended before the cancel emits no end of its own, so run.stopped stands for it.
  const isEnd = !isRunOver(before) || (event.type === "run.stopped" && "stopping" in task && task.stopping);
  if (isRunOver(run) && isEnd) {
    const step = onRunEnd(task, run, blockedStep(carried));
    task = step.state;
    accepted ||= step.accepted;
    effects.push(...step.effects);
  }
  if (!accepted) return { state, effects, accepted };
  const runs = coreOf(run)?.id === coreOf(before)?.id ? state.runs : state.runs + 1;
  return finished(state, { ...carried, task, run, subs, runs }, event, effects);
}

function isStop({ type }: Event): boolean {
  return type === "cancel.requested" || type === "task.timed_out";
}

function refusedEvent(state: SessionState, event: Event): SessionStep | null {
  const { task, run } = state;
  // The run gets its id with the task, but must not start before the task executes.
  if (event.type === "run.started" && isEarly(state)) return unexpected(state, task.phase, event.type);
  if (startsRun(event)) {
    // One run at a time, each with its own id.
    if (!isRunOver(run)) return unexpected(state, run.phase, event.type);
    if (coreOf(run)?.id === event.runId) return stale(state);
  }
  // Once the run has begun, plan events concern the plan in its reply.
  const isBegun = "begun" in task && task.begun;
  return isAboutPlan(event) && isBegun && !isHeld(run) ? unexpected(state, run.phase, event.type) : null;
}

function runAfterOrders(run: RunState, task: TaskState, event: Event, effects: readonly Effect[]): RunState {
  if (task.phase === "IDLE") return run;
  if (coreOf(run)?.id !== task.task.runId && effects.some(({ type }) => type === "start_run")) {
    const isModels = task.phase === "EXECUTING" && task.task.input.kind === "task";
    return isModels
      ? preparing(task.task, "model", inherited(task.task, run))
      : preparing(task.task, "calls", { cost: coreOf(run)?.cost ?? 0 });
  }
  if (task.phase === "PLANNING" && task.begun && run.phase === "preparing")
    return { ...run, run: { ...run.run, planning: true } };
  // After the second refusal of its plan, the run is closed without asking the model again.
  if (event.type === "plan.answered" && task.phase === "SUMMARIZING" && isHeld(run))
    return { ...run, run: { ...run.run, stopping: "asked" } };
  return run;
}

/** Cost carries over to every later run. */
function inherited({ rungs }: TaskCore, run: RunState): Inherited {
  const rung = rungs.at(-1);
  const core = coreOf(run);
  if (!core) return {};
  const { tokens, cost, failure } = core;
  // The failure belongs to an earlier run, so no step of this one has that index.
  const failed = failure ? { failure: { ...failure, index: 0 } } : {};
  if (rung === "replan") return { cost, ...failed };
  return rung === "retry" || rung === "fallback" || rung === "ask" ? { tokens, cost, ...failed } : { cost };
}

function isHeld(run: RunState): run is Extract<RunState, { held?: true }> {
  return "held" in run && run.held === true && run.run.stopping === "no";
}

function isEarly(state: SessionState): boolean {
  if (state.run.phase !== "preparing" || state.run.run.stopping !== "no") return false;
  if (state.task.phase === "PLANNING") return !state.task.begun;
  return !["EXECUTING", "VERIFYING", "RECOVERING"].includes(state.task.phase);
}

function aroundOf(state: SessionState): Around {
  if (state.queue.length === 0 && state.subs.length === 0) return alone;
  const id = coreOf(state.run)?.id ?? "";
  return { steer: steerOf(state), others: spentBeside(state, id), isAsking: isAskingBeside(state, id) };
}

function steerOf(state: SessionState): readonly string[] {
  return state.queue.filter((one) => one.delivery === "steer" && one.kind === "task").map((one) => one.inputId);
}

function finished(before: SessionState, state: SessionState, event: Event, effects: Effect[]): SessionStep {
  if (event.type === "cancel.requested" && before.queue.length > 0) {
    effects.push({ type: "return_input", inputIds: before.queue.map((one) => one.inputId) });
  }
  const step: SessionStep = { state, effects, accepted: true };
  return event.type === "task.ended" ? withNextTask({ ...step, state: withEnded(before, state) }) : step;
}

/** A command that the user ran in between leaves the stopped task in place. The original of a fork continues the task, not the copy. */
function withEnded({ task: before, run }: SessionState, state: SessionState): SessionState {
  if (before.phase !== "DONE" || before.task.input.kind !== "task") return state;
  const { task, cancelled, summary } = before;
  // Whether a denial ended the task is known only with the summary.
  const end = before.end.stop === "COMPLETED" ? { ...before.end, stop: summary.stop_reason } : before.end;
  const isOver = end.stop === "COMPLETED" || cancelled === "fork";
  return { ...state, stopped: isOver ? null : { task, end, run } };
}
