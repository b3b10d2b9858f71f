import type { ErrorInfo } from "./error.ts";
import type { Phrase } from "./text/catalogue.ts";

export type Mode = "plan" | "default" | "auto-edit" | "yolo";
export const modes: readonly Mode[] = ["plan", "default", "auto-edit", "yolo"];
export type Preset = "strict" | "balanced" | "auto-edit" | "yolo";
export const presets: readonly Preset[] = ["strict", "balanced", "auto-edit", "yolo"];

export type StopReason =
  | "COMPLETED"
  | "STEP_LIMIT"
  | "MAX_ITER"
  | "BUDGET"
  | "PROVIDER_FAILED"
  | "CANCELLED"
  | "NEEDS_ANSWER"
  | "DENIED"
  | "STORE_FAILED"
  | "BLOCKED";
export type Outcome = "VERIFIED" | "UNVERIFIED" | "FAILED";
type Foreseen = "write" | "delete" | "exec" | "network";

export interface Assessment {
  readonly intent: "shell" | "tool" | "task";
  readonly complexity: "simple" | "complex";
  readonly riskLevel: "low" | "medium" | "high";
  readonly foreseen: readonly Foreseen[];
  /** Questions that must be answered before anything can start; empty = none. */
  readonly missing: readonly string[];
}

interface PlanStep {
  readonly id: string;
  readonly title: string;
  readonly status: "pending" | "in_progress" | "done" | "blocked" | "skipped";
}

export interface Plan {
  readonly planId: string;
  readonly title: string;
  readonly steps: readonly PlanStep[];
  readonly riskLevel: "low" | "medium" | "high";
}

/** What the checks after a run said. `none` = nothing was run, with the reason. */
export type ChecksResult =
  | { readonly kind: "none"; readonly reason: Phrase }
  | { readonly kind: "pass"; readonly command: string }
  | { readonly kind: "fail"; readonly command: string; readonly error: ErrorInfo };

/** SM-9: everything but `why` and `next_steps` comes from the log, never from the model's text. */
export interface TaskSummary {
  readonly changed_files: readonly { readonly path: string; readonly change: "create" | "modify" | "delete" }[];
  readonly why: string;
  readonly commands: readonly {
    readonly command: string;
    readonly status: string;
    readonly exit_code: number | null;
  }[];
  readonly verification: { readonly status: "pass" | "fail" | "none"; readonly reason: string };
  readonly risks: readonly string[];
  readonly rollback: string;
  readonly next_steps: readonly string[];
  readonly outcome: Outcome;
  readonly stop_reason: StopReason;
  /** Whether VF-1 called for a check; with UNVERIFIED it makes exit code 3. */
  readonly check_wanted: boolean;
  readonly exit_code: number;
}
