import type { Plan, PlanStep } from "../../contract/plan.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { patchPlan } from "./patch.ts";
import type { PlanProblem } from "./problem.ts";
import type { PlanRead } from "./read.ts";
import { byName } from "./take.ts";

/** PL-5: an edited plan as a patch of the current one. Steps it leaves out are skipped; done steps stay. */
export function editPlan(current: Plan, edited: Plan): PlanRead {
  const before = new Map(current.steps.map((step) => [step.id, step]));
  const after = new Map(edited.steps.map((step) => [step.id, step]));
  const problems = current.steps.flatMap((step) => touched(step, after.get(step.id), edited));
  if (problems.length > 0) return { problems };
  const isOpen = ({ id }: PlanStep): boolean => before.has(id) && before.get(id)?.status !== "done";
  const isNew = ({ id }: PlanStep): boolean => !before.has(id);
  const { plan_id, created_at, steps } = current;
  return patchPlan(
    { ...edited, plan_id, created_at, steps },
    {
      add: edited.steps.filter(isNew).map((step) => ({ step })),
      change: edited.steps.filter(isOpen),
      skip: current.steps.filter((step) => !after.has(step.id) && step.status !== "done").map(({ id }) => id),
      order: edited.steps.filter((step) => isOpen(step) || (isNew(step) && step.status !== "done")).map(({ id }) => id),
    },
  );
}

function touched(step: PlanStep, now: PlanStep | undefined, edited: Plan): readonly PlanProblem[] {
  if (step.status !== "done" || (now && JSON.stringify(now, byName) === JSON.stringify(step, byName))) return [];
  const path = now ? ["steps", edited.steps.indexOf(now)] : ["steps"];
  return [{ path, what: phrase("plan.step_done", { id: step.id }) }];
}
