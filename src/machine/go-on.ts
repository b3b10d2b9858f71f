import type { EventOf } from "../contract/event.ts";
import type { StopReason } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { freshBreakers } from "./breakers.ts";
import { budgetSpent } from "./budget.ts";
import { toVerifying } from "./checks.ts";
import { alone, nextStep, preparing } from "./run.ts";
import {
  completed,
  coreOf,
  isRunOver,
  type RunCore,
  type RunState,
  type SessionState,
  type StoppedTask,
  type TaskCore,
} from "./state.ts";
import { type Step, stale, to } from "./step.ts";
import { onRunEnd } from "./task.ts";

type SessionStep = Step<SessionState>;

/** `repeat`: the interrupted model call. `step`: the next one. `checks`: verification. `restart`: nothing of the task had run. */
type Way = "repeat" | "step" | "checks" | "restart";

function wayOn({ run }: StoppedTask): Way {
  if (!isRunOver(run) || !("run" in run)) return "restart";
  if (!run.run.withModel) return "checks";
  if ("cut" in run && run.cut) return "repeat";
  return run.run.index === 0 ? "restart" : "step";
}

export function spentBudget({ run }: StoppedTask, limits: TaskCore["limits"]): Phrase | null {
  const core = coreOf(run);
  return core ? budgetSpent({ ...core, limits }) : null;
}

/** The ids stay the same: finished work counts, and an interrupted call keeps its index. */
export function goOn(state: SessionState, event: EventOf<"task.continued">): SessionStep {
  const { stopped, queue } = state;
  const isReady = state.task.phase === "IDLE" && queue.length === 0 && stopped?.task.id === event.taskId;
  if (!isReady) return stale(state);
  const way = wayOn(stopped);
  const { end, run } = stopped;
  const { unfit: _, problems: _p, failed: _f, denied: _d, ...before } = stopped.task;
  const task: TaskCore = { ...before, limits: event.limits, refusals: 0, unsound: 0, rounds: [], rungs: [] };
  const isPlans = state.plan?.plan_id.endsWith(`-${task.id}`) === true;
  const next = { ...state, stopped: null, planTask: isPlans ? task.id : state.planTask };
  if (way === "restart" || !("run" in run)) return restart(next, { ...task, runId: event.nextRunId }, run);
  const limits = moreSteps(run.run, event);
  const core: RunCore = { ...run.run, limits, stopping: "no", unanswered: false, denied: false };
  if (way === "checks") {
    const step = toVerifying(task, completed);
    return { ...step, state: { ...next, task: step.state, run } };
  }
  const step =
    way === "repeat" ? repeat(core, run) : nextStep({ ...core, breakers: freshBreakers }, alone, [wordsFor(end.stop)]);
  const phase = core.planning
    ? ({ phase: "PLANNING", task, words: "", plan: null, begun: true } as const)
    : ({ phase: "EXECUTING", task } as const);
  if (!isRunOver(step.state)) return { ...step, state: { ...next, task: phase, run: step.state } };
  // The budget is already used up again: the task stops as before.
  const over = onRunEnd(phase, step.state, null);
  return { ...over, state: { ...next, task: over.state, run: step.state } };
}

function restart(state: SessionState, task: TaskCore, before: RunState): SessionStep {
  const run = preparing(task, "model", { cost: coreOf(before)?.cost ?? 0 });
  const runs = state.runs + 1;
  return to({ ...state, task: { phase: "INTAKE", task }, run, runs }, { type: "assess_task", taskId: task.id });
}

function repeat(run: RunCore, before: RunState): Step<RunState> {
  const spent = budgetSpent(run);
  if (spent) return to({ phase: "completed", run, end: { stop: "BUDGET", error: null, note: spent } });
  const attempt = ("cut" in before ? (before.cut?.attempt ?? 0) : 0) + 1;
  const state: RunState = { phase: "model_running", run, attempt, failures: 0, doing: "calling" };
  return to(state, { type: "call_model", runId: run.id, index: run.index, attempt });
}

function moreSteps({ index, innerSteps = 0 }: RunCore, { limits }: EventOf<"task.continued">): TaskCore["limits"] {
  return { ...limits, maxSteps: index + innerSteps + limits.maxSteps };
}

function wordsFor(stop: StopReason): Phrase {
  switch (stop) {
    case "NEEDS_ANSWER":
      return phrase("run.goes_on.needs_answer");
    case "DENIED":
      return phrase("run.goes_on.denied");
    case "BLOCKED":
      return phrase("run.goes_on.blocked");
    case "MAX_ITER":
      return phrase("run.goes_on.max_iter");
    default:
      return phrase("run.goes_on");
  }
}
