import type { Plan } from "../../contract/plan.ts";
import type { SessionState } from "../state.ts";
import { openSteps } from "./progress.ts";

/** The plan that plan mode has just ended with, for the user to decide on; `null` = none. */
export function proposedPlan({ task, queue, mode, stopped, plan, planTask, tasks }: SessionState): Plan | null {
  if (task.phase !== "IDLE" || queue.length > 0 || mode !== "plan" || stopped !== null) return null;
  return plan && openSteps(plan).length > 0 && planTask === `t${tasks}` ? plan : null;
}
