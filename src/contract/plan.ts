import type { Phrase } from "./text/catalogue.ts";

export type PlanStepStatus = "pending" | "in_progress" | "done" | "blocked" | "skipped";
export type Risk = "low" | "medium" | "high";

export interface PlanStep {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly intent: string;
  /** Ids of steps that must be done first. */
  readonly dependencies: readonly string[];
  readonly tools_expected: readonly string[];
  readonly tool_calls?: readonly { readonly tool: string; readonly args: unknown }[];
  readonly expected_artifacts: readonly { readonly path: string; readonly change: "create" | "modify" | "delete" }[];
  readonly status: PlanStepStatus;
  readonly rollback_hint: string;
  /** As a todo (TL-4); absent = medium. */
  readonly priority?: "high" | "medium" | "low";
  /** Why it was skipped or is blocked. */
  readonly reason?: string;
}

export interface PlanVerification {
  readonly mode: "none" | "lint" | "test" | "build" | "custom";
  readonly commands: readonly string[];
  /** A failure makes the task FAILED. */
  readonly required: boolean;
  /** `false`: later commands still run. */
  readonly stop_on_fail: boolean;
}

/**
 * PL-3. The names are those of the JSON that models write and people edit. Keys of theirs that mean nothing to coder are kept beside
 * these, in the plan and in its parts.
 */
export interface Plan {
  readonly plan_id: string;
  readonly title: string;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly steps: readonly PlanStep[];
  readonly verification: PlanVerification;
  readonly risk_level: Risk;
  /** ISO time. */
  readonly created_at: string;
}

export const MAX_PLAN_STEPS = 12;
/** PL-4: at most so many patches of a plan in one task. */
export const MAX_REPLANS = 2;

/** PL-4. Steps that are done stay as they are; everything else may be changed. */
export interface PlanPatch {
  /** Whole new steps; `after`: behind which step, `null` = at the front, absent = at the end. */
  readonly add?: readonly { readonly step: PlanStep; readonly after?: string | null }[];
  readonly change?: readonly (Partial<PlanStep> & { readonly id: string })[];
  readonly skip?: readonly string[];
  /** Ids of steps that are not done, in their new order; those not named keep theirs behind them. */
  readonly order?: readonly string[];
}

/** What became of what the model sent with the `plan` tool. */
export interface PlanTaken {
  readonly plan: Plan;
  /** `patch` counts as a replan, `status` does not. */
  readonly change: "new" | "patch" | "status";
  /** What the person is told about it. */
  readonly notices?: readonly Phrase[];
}
