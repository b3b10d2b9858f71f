import { MAX_PLAN_STEPS, type PlanStep } from "../../contract/plan.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { PlanProblem } from "./problem.ts";

type Node = Pick<PlanStep, "id" | "dependencies">;

/** PL-3: why these steps are not a plan; empty when they are. */
export function stepProblems(steps: readonly Node[]): readonly PlanProblem[] {
  const path = ["steps"];
  if (steps.length === 0) return [{ path, what: phrase("plan.no_steps") }];
  if (steps.length > MAX_PLAN_STEPS) {
    return [{ path, what: phrase("plan.too_many_steps", { n: steps.length, max: MAX_PLAN_STEPS }) }];
  }
  const ids = steps.map(({ id }) => id);
  const unknown = steps.flatMap(({ id, dependencies }, at) =>
    dependencies
      .filter((other) => !ids.includes(other))
      .map((other) => ({
        path: ["steps", at, "dependencies"],
        what: phrase("plan.unknown_dependency", { id, other }),
      })),
  );
  const cycle = cycleIn(steps);
  const circular = cycle === null ? [] : [{ path, what: phrase("plan.cycle", { ids: cycle.join(" → ") }) }];
  return [...sameIds(ids), ...unknown, ...circular];
}

export function sameIds(ids: readonly string[]): readonly PlanProblem[] {
  return ids.flatMap((id, at) =>
    ids.indexOf(id) === at ? [] : [{ path: ["steps", at, "id"], what: phrase("plan.same_id", { id }) }],
  );
}

/** Ids along one dependency cycle, with the first repeated at the end; `null` = no cycle. */
function cycleIn(steps: readonly Node[]): readonly string[] | null {
  const left = new Map(steps.map((step) => [step.id, step]));
  const waits = (step: Node): string | undefined => step.dependencies.find((id) => left.has(id));
  // A step that waits for nothing left cannot be part of a cycle.
  for (let free = [...left.values()].filter((step) => waits(step) === undefined); free.length > 0; ) {
    for (const { id } of free) left.delete(id);
    free = [...left.values()].filter((step) => waits(step) === undefined);
  }
  const way: string[] = [];
  for (let at = [...left.keys()][0]; at !== undefined; at = waits(left.get(at) as Node)) {
    const seen = way.indexOf(at);
    if (seen >= 0) return [...way.slice(seen), at];
    way.push(at);
  }
  return null;
}
