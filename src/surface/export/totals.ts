import { addCost, addUsage } from "./narrate.ts";
import type { TaskLine } from "./timeline.ts";

export type Totals = Pick<TaskLine, "ms" | "counts" | "usage" | "cost">;

export function addLines(all: Totals | null, task: TaskLine): Totals {
  if (all === null) return { ms: task.ms, counts: task.counts, usage: task.usage, cost: task.cost };
  return {
    ms: addEach(all.ms, task.ms),
    counts: addEach(all.counts, task.counts),
    usage: addUsage(all.usage, task.usage),
    cost: addCost(all.cost, task.cost),
  };
}

function addEach<T extends Readonly<Record<keyof T, number>>>(one: T, other: T): T {
  const sums = Object.entries<number>(one).map(([name, value]) => [name, value + other[name as keyof T]]);
  return Object.fromEntries(sums) as T;
}
