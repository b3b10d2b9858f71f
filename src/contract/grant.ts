import type { TaskId } from "./ids.ts";
import type { PermissionRule } from "./permission.ts";
import type { PlanStep } from "./plan.ts";

/**
 * SM-2: how far a yes reaches. `call`: this call. `step`, `plan`: exactly what it lists. `task`: the same call again until the task
 * ends. `typed`: every command that the user types, stored in their config.
 */
export type Scope = "call" | "step" | "plan" | "task" | "typed";

/** An item that a plan lists. Paths are relative to the workspace. */
export type Listed =
  | ({ readonly kind: "file"; readonly step: string } & PlanStep["expected_artifacts"][number])
  | ({ readonly kind: "call"; readonly step: string } & NonNullable<PlanStep["tool_calls"]>[number]);

/** PL-6: what the user allowed in advance; ends with its task. */
export interface Grant {
  readonly taskId: TaskId;
  readonly scope: Exclude<Scope, "call" | "typed">;
  /** As listed when the user was asked: later changes of the plan add nothing. */
  readonly listed: readonly Listed[];
  readonly steps: readonly string[];
  readonly rules: readonly PermissionRule[];
}
