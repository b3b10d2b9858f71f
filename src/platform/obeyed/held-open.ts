import type { ObeyedScope } from "../../contract/sandbox.ts";
import type { Surveyed } from "./survey.ts";

export interface ObeyedBaseline {
  readonly scope: ObeyedScope;
  readonly seen: ReadonlyMap<string, Surveyed>;
  /** Real paths changed since by one of our tools, or by another command that was allowed to. */
  readonly ours: Set<string>;
}

/** Baselines of running commands. A background job may run for hours. */
export const openBaselines = new Set<ObeyedBaseline>();

/** Excludes files that were written with the user's permission from the comparisons of running commands. */
export function noteOwn(paths: readonly string[]): void {
  for (const { ours } of openBaselines) for (const path of paths) ours.add(path);
}
