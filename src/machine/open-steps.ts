// A task that ends while steps of its plan are open: its model is asked once to finish them, or to say why not (PL-4, VF-7).
import type { PlanStep } from "../contract/plan.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { isFollowed } from "./carry.ts";
import { openSteps } from "./plan/progress.ts";
import { nextStep } from "./run.ts";
import type { RunState, SessionState, TaskState } from "./state.ts";
import type { Step } from "./step.ts";

interface Asked {
  readonly task: TaskState;
  readonly run: Step<RunState>;
}

/** Steps that are open when the task ends now. A plan that was only wanted is not carried out at all. */
export function stepsLeft(state: SessionState): readonly PlanStep[] {
  return isFollowed(state) && state.mode !== "plan" ? openSteps(state.plan, state.isPlanReported) : [];
}

/** `null`: nothing is open, it was asked before, or there is no step left to ask in. */
export function askForSteps(state: SessionState, task: TaskState, run: RunState): Asked | null {
  if (task.phase !== "EXECUTING" || run.phase !== "completed" || run.end.stop !== "COMPLETED") return null;
  const { limits, stepsAsked } = task.task;
  if (!limits.endsByFacts || stepsAsked || !run.run.withModel) return null;
  const open = stepsLeft(state);
  if (open.length === 0 || open.some(({ status }) => status === "blocked")) return null;
  const steps = open.map(({ id, title }) => `${id} (${title})`).join(", ");
  const next = nextStep(run.run, [], [phrase("run.steps_open", { steps })]);
  if (next.state.phase !== "model_running") return null;
  return { task: { ...task, task: { ...task.task, stepsAsked: true } }, run: next };
}
