import type { ObeyedScope } from "../../contract/sandbox.ts";
import type { Surveyed } from "./survey.ts";

/** How things were when a command began. */
export interface ObeyedBaseline {
  readonly scope: ObeyedScope;
  readonly seen: ReadonlyMap<string, Surveyed>;
  /** Real paths, changed since by a tool of ours, or by another command that was allowed to. */
  readonly ours: Set<string>;
}

/** Of the commands that run now. A job in the background may run for hours. */
export const openBaselines = new Set<ObeyedBaseline>();

/** These were written as the person allowed: whoever runs meanwhile is not blamed for them. */
export function noteOwn(paths: readonly string[]): void {
  for (const { ours } of openBaselines) for (const path of paths) ours.add(path);
}
