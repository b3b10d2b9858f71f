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
  /** TL-4; absent = medium. */
  readonly priority?: "high" | "medium" | "low";
  /** Why the step is skipped or blocked. */
  readonly reason?: string;
}

export interface PlanVerification {
  readonly mode: "none" | "lint" | "test" | "build" | "custom";
  readonly commands: readonly string[];
  /** A failure makes the task FAILED. */
  readonly required: boolean;
  /** `false` = later commands still run. */
  readonly stop_on_fail: boolean;
}

/** PL-3, with the field names of the JSON that models write and people edit. Unknown keys are kept. */
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
/** PL-4: patches per task. */
export const MAX_REPLANS = 2;

/** PL-4. Completed steps cannot change. */
export interface PlanPatch {
  /** New steps. `after`: the preceding step, `null` = first, absent = last. */
  readonly add?: readonly { readonly step: PlanStep; readonly after?: string | null }[];
  readonly change?: readonly (Partial<PlanStep> & { readonly id: string })[];
  readonly skip?: readonly string[];
  /** Ids of open steps in their new order; others follow in their old order. */
  readonly order?: readonly string[];
}

/** The machine's answer to the `plan` tool. */
export interface PlanTaken {
  readonly plan: Plan;
  /** Only `patch` counts as a replan. */
  readonly change: "new" | "patch" | "status";
  /** For the user. */
  readonly notices?: readonly Phrase[];
}
