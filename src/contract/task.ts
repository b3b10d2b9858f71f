import type { ErrorInfo } from "./error.ts";
import type { Plan } from "./plan.ts";
import type { Phrase } from "./text/catalogue.ts";
import type { LeftOut, VerificationResult } from "./verification.ts";

export type Mode = "plan" | "default" | "auto-edit" | "yolo";
export const modes: readonly Mode[] = ["plan", "default", "auto-edit", "yolo"];
/** Modes on the cycle key, which must not reach yolo by accident. */
export const modeCycle: readonly Mode[] = ["plan", "default", "auto-edit"];
export type Preset = "strict" | "balanced" | "auto-edit" | "yolo";
export const presets: readonly Preset[] = ["strict", "balanced", "auto-edit", "yolo"];

/** Commits the changes of a task on the current branch (`commit`) or on a branch of our own (`branch`). */
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
export type TaskIntent = "question" | "change" | "run" | "review" | "other";

/** Users may always answer freely. Our questions are phrases, a model's are text. */
export interface Question {
  readonly question: string | Phrase;
  readonly options: readonly (string | Phrase)[];
}

/** PL-1: from these values on, a task counts as complex. */
export interface ComplexThresholds {
  readonly chars: number;
  readonly separators: number;
  readonly words: number;
  readonly goals: number;
}

/** SM-3. Old logs have no `kind` and `why`, and store the kind in `intent`. */
export interface Assessment {
  readonly kind?: "shell" | "tool" | "task";
  readonly intent: TaskIntent | "shell" | "tool" | "task";
  readonly complexity: "simple" | "complex";
  readonly why?: Phrase;
  readonly riskLevel: "low" | "medium" | "high";
  readonly foreseen: readonly Foreseen[];
  readonly missing: readonly Question[];
  readonly constraints?: readonly string[];
}

/** What to do with changes whose check finally failed. */
export type OnFail = "keep" | "ask" | "rollback";

/**
 * The outcome of a run's checks. `none`: nothing ran, or nothing that tells about the code; `wanted`: although VF-1 required a check;
 * `needless`: there was nothing to check. `optional`: only checks failed that the plan does not require. `left`: left unchecked.
 */
export type ChecksResult = { readonly results?: readonly VerificationResult[]; readonly left?: readonly LeftOut[] } & (
  | {
      readonly kind: "none";
      readonly reason: Phrase;
      readonly advice?: Phrase;
      readonly wanted?: true;
      readonly needless?: true;
    }
  | { readonly kind: "pass"; readonly command: string }
  | { readonly kind: "fail"; readonly command: string; readonly error: ErrorInfo; readonly optional?: true }
);

/**
 * SM-8: the next step of recovery. `retry`, `fallback`, `ask`: after failed calls. `answer`: returns a final answer that does not fit
 * its schema.
 */
export type Rung = "retry" | "fallback" | "ask" | "repair" | "rollback" | "replan" | "answer" | "stop";

/** SM-3: what blocks a task, and what a person can do about it. */
export interface Blockage {
  readonly what: Phrase;
  readonly steps: readonly Phrase[];
}

/** In the user's language. */
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
    /** Of the last attempt; absent if nothing ran. */
    readonly results?: readonly VerificationResult[];
    readonly attempts?: number;
  };
  readonly questions?: readonly OpenQuestion[];
  readonly plan?: Plan;
  /** The blockage, if known; `next_steps` are then manual steps. */
  readonly blocked?: string;
  readonly risks: readonly string[];
  readonly rollback: string;
  readonly next_steps: readonly string[];
  readonly outcome: Outcome;
  readonly stop_reason: StopReason;
  /** VF-1 required a check; with UNVERIFIED this gives exit code 3. */
  readonly check_wanted: boolean;
  readonly exit_code: number;
}
