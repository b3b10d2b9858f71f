import type { Plan, PlanPatch, PlanStep } from "../../contract/plan.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { stepProblems } from "./check.ts";
import type { PlanProblem } from "./problem.ts";
import type { PlanRead } from "./read.ts";

/** PL-4: a partial change of the plan. Done steps stay as they are; either the whole patch applies or nothing. */
export function patchPlan(plan: Plan, patch: PlanPatch): PlanRead {
  const known = new Map(plan.steps.map((step) => [step.id, step]));
  const { add = [], change = [], skip = [], order = [] } = patch;
  const problems: PlanProblem[] = [];
  const touch = (path: PlanProblem["path"], id: string): void => {
    const step = known.get(id);
    const ids = [...known.keys()].join(", ");
    if (step === undefined) problems.push({ path, what: phrase("plan.no_step", { id, known: ids }) });
    else if (step.status === "done") problems.push({ path, what: phrase("plan.step_done", { id }) });
  };
  for (const [at, { step, after }] of add.entries()) {
    if (known.has(step.id)) problems.push({ path: ["add", at], what: phrase("plan.same_id", { id: step.id }) });
    known.set(step.id, step);
    if (after !== undefined && after !== null && !known.has(after)) touch(["add", at, "after"], after);
  }
  for (const [at, { id }] of change.entries()) touch(["change", at], id);
  for (const [at, id] of skip.entries()) touch(["skip", at], id);
  for (const [at, id] of order.entries()) touch(["order", at], id);
  if (problems.length > 0) return { problems };
  const steps = ordered(changed(added(plan.steps, add), change, skip), order);
  const wrong = stepProblems(steps);
  return wrong.length > 0 ? { problems: wrong } : { plan: { ...plan, steps } };
}

function added(steps: readonly PlanStep[], add: NonNullable<PlanPatch["add"]>): readonly PlanStep[] {
  const all = [...steps];
  for (const { step, after } of add) {
    const place = after === undefined ? all.length : all.findIndex(({ id }) => id === after) + 1;
    all.splice(place, 0, step);
  }
  return all;
}

function changed(
  steps: readonly PlanStep[],
  change: NonNullable<PlanPatch["change"]>,
  skip: readonly string[],
): readonly PlanStep[] {
  return steps.map((step) => {
    const patched: PlanStep = Object.assign({}, step, ...change.filter(({ id }) => id === step.id));
    return skip.includes(step.id) ? { ...patched, status: "skipped" } : patched;
  });
}

/** Done steps keep their positions; the others fill the free ones in their new order. */
function ordered(steps: readonly PlanStep[], order: readonly string[]): readonly PlanStep[] {
  const free = steps.filter(({ status }) => status !== "done");
  const named = [...new Set(order)].flatMap((id) => free.find((step) => step.id === id) ?? []);
  const rest = free.filter((step) => !named.includes(step));
  const queue = [...named, ...rest];
  return steps.map((step) => (step.status === "done" ? step : (queue.shift() ?? step)));
}
