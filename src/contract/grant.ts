import type { TaskId } from "./ids.ts";
import type { PermissionRule } from "./permission.ts";
import type { PlanStep } from "./plan.ts";

/**
 * How far a yes reaches (SM-2). `call`: this one. `step`, `plan`: what is listed there, and nothing else. `task`: the same again,
 * until the task ends. `typed`: all that the person types as a command, kept in their own configuration.
 */
export type Scope = "call" | "step" | "plan" | "task" | "typed";

/** One thing that a plan lists. Paths are relative to the workspace. */
export type Listed =
  | ({ readonly kind: "file"; readonly step: string } & PlanStep["expected_artifacts"][number])
  | ({ readonly kind: "call"; readonly step: string } & NonNullable<PlanStep["tool_calls"]>[number]);

/** What the person has said yes to beforehand; it ends with its task (PL-6). */
export interface Grant {
  readonly taskId: TaskId;
  readonly scope: Exclude<Scope, "call" | "typed">;
  /** As it was when the person was asked: what the plan becomes later adds nothing. */
  readonly listed: readonly Listed[];
  /** Steps whose listing is covered. */
  readonly steps: readonly string[];
  readonly rules: readonly PermissionRule[];
}
