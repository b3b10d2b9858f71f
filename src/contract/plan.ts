import type { Phrase } from "./text/catalogue.ts";

export type PlanStepStatus = "pending" | "in_progress" | "done" | "blocked" | "skipped";
export type Risk = "low" | "medium" | "high";

export interface PlanStep {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly intent: string;
  readonly dependencies: readonly string[];
  readonly tools_expected: readonly string[];
  readonly tool_calls?: readonly { readonly tool: string; readonly args: unknown }[];
  readonly expected_artifacts: readonly { readonly path: string; readonly change: "create" | "modify" | "delete" }[];
  readonly status: PlanStepStatus;
  readonly rollback_hint: string;
  /** TL-4; absent = medium. */
  readonly priority?: "high" | "medium" | "low";
  readonly reason?: string;
}

export interface PlanVerification {
  readonly mode: "none" | "lint" | "test" | "build" | "custom";
  readonly commands: readonly string[];
  readonly required: boolean;
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
  readonly created_at: string;
}

export const stepMarks: Readonly<Record<PlanStepStatus, string>> = {
  ...{ pending: "[ ]", in_progress: "[>]", done: "[x]", blocked: "[!]", skipped: "[-]" },
};

export const MAX_PLAN_STEPS = 12;
/** PL-4: patches per task. */
export const MAX_REPLANS = 2;

/** PL-4. Completed steps cannot change. */
export interface PlanPatch {
  /** New steps. `after`: the preceding step, `null` = first, absent = last. */
  readonly add?: readonly { readonly step: PlanStep; readonly after?: string | null }[];
  readonly change?: readonly (Partial<PlanStep> & { readonly id: string })[];
  readonly skip?: readonly string[];
  readonly order?: readonly string[];
}

export interface PlanTaken {
  readonly plan: Plan;
  /** Only `patch` counts as a replan. */
  readonly change: "new" | "patch" | "status";
  readonly notices?: readonly Phrase[];
}
