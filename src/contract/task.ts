import type { ErrorInfo } from "./error.ts";
import type { Plan } from "./plan.ts";
import type { Phrase } from "./text/catalogue.ts";
import type { VerificationResult } from "./verification.ts";

export type Mode = "plan" | "default" | "auto-edit" | "yolo";
export const modes: readonly Mode[] = ["plan", "default", "auto-edit", "yolo"];
export type Preset = "strict" | "balanced" | "auto-edit" | "yolo";
export const presets: readonly Preset[] = ["strict", "balanced", "auto-edit", "yolo"];

/** Whether a task that changed files is committed: on the branch that is checked out, or on one of our own beside it. */
export type GitMode = "off" | "branch" | "commit";
export const gitModes: readonly GitMode[] = ["off", "branch", "commit"];

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
export type Foreseen = "write" | "delete" | "exec" | "network";
/** What the person wants done, as far as the words say. */
export type TaskIntent = "question" | "change" | "run" | "review" | "other";

/** A question to the person, who may always answer in words of their own. Ours are phrases, a model's are in its words. */
export interface Question {
  readonly question: string | Phrase;
  readonly options: readonly (string | Phrase)[];
}

/** PL-1: from here on a task counts as complex. */
export interface ComplexThresholds {
  readonly chars: number;
  readonly separators: number;
  readonly words: number;
  readonly goals: number;
}

/** SM-3. Logs of earlier versions have neither `kind` nor `why`, and the kind as `intent`. */
export interface Assessment {
  readonly kind?: "shell" | "tool" | "task";
  readonly intent: TaskIntent | "shell" | "tool" | "task";
  readonly complexity: "simple" | "complex";
  /** Why it counts as simple or complex. */
  readonly why?: Phrase;
  readonly riskLevel: "low" | "medium" | "high";
  readonly foreseen: readonly Foreseen[];
  /** Questions that must be answered before anything can start; empty = none. */
  readonly missing: readonly Question[];
}

/** What the checks after a run said. `wanted`: VF-1 called for one all the same. `none` = nothing was run, or nothing that speaks about the code, with the reason. */
export type ChecksResult = { readonly results?: readonly VerificationResult[] } & (
  | { readonly kind: "none"; readonly reason: Phrase; readonly advice?: Phrase; readonly wanted?: true }
  | { readonly kind: "pass"; readonly command: string }
  | { readonly kind: "fail"; readonly command: string; readonly error: ErrorInfo }
);

/** SM-8: how recovery goes on. `answer`: a final answer that does not fit its schema is sent back. */
export type Rung = "repair" | "rollback" | "replan" | "answer" | "stop";

/** In the person's language. */
export interface OpenQuestion {
  readonly question: string;
  readonly options: readonly string[];
}

/** SM-9: everything but `why` and `next_steps` comes from the log, never from the model's text. */
export interface TaskSummary {
  readonly changed_files: readonly { readonly path: string; readonly change: "create" | "modify" | "delete" }[];
  readonly why: string;
  readonly commands: readonly {
    readonly command: string;
    readonly status: string;
    readonly exit_code: number | null;
  }[];
  readonly verification: {
    readonly status: "pass" | "fail" | "none";
    readonly reason: string;
    /** Of the last round; absent where nothing was run. */
    readonly results?: readonly VerificationResult[];
    /** How often it was checked. */
    readonly attempts?: number;
  };
  /** What has to be answered before the task can go on. */
  readonly questions?: readonly OpenQuestion[];
  readonly plan?: Plan;
  readonly risks: readonly string[];
  readonly rollback: string;
  readonly next_steps: readonly string[];
  readonly outcome: Outcome;
  readonly stop_reason: StopReason;
  /** Whether VF-1 called for a check; with UNVERIFIED it makes exit code 3. */
  readonly check_wanted: boolean;
  readonly exit_code: number;
}
