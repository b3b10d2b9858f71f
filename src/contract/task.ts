import type { ErrorInfo } from "./error.ts";
import type { Plan } from "./plan.ts";
import type { Phrase } from "./text/catalogue.ts";
import type { LeftOut, VerificationResult } from "./verification.ts";

export type Mode = "plan" | "default" | "auto-edit" | "yolo";
export const modes: readonly Mode[] = ["plan", "default", "auto-edit", "yolo"];
/** Those that a key goes through: nobody gets into the other one in passing. */
export const modeCycle: readonly Mode[] = ["plan", "default", "auto-edit"];
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
  /** What the person forbids for this task, in their own words; absent = nothing. */
  readonly constraints?: readonly string[];
}

/**
 * What the checks after a run said. `none` = nothing was run, or nothing that speaks about the code, with the reason; `wanted`: VF-1
 * called for one all the same; `needless`: there was nothing that a check could say anything about. `optional`: only checks failed
 * that the plan does not require. `left`: what nothing was run for.
 */
/** What the person wants done with changes that failed their check for good. */
export type OnFail = "keep" | "ask" | "rollback";

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
 * SM-8: how recovery goes on. `retry`, `fallback`, `ask`: after calls that fail. `answer`: a final answer that does not fit its schema
 * is sent back.
 */
export type Rung = "retry" | "fallback" | "ask" | "repair" | "rollback" | "replan" | "answer" | "stop";

/** What keeps a task from going on, and what a person can do about it (SM-3). */
export interface Blockage {
  readonly what: Phrase;
  readonly steps: readonly Phrase[];
}

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
  /** What kept it from going on, where that is known; the next steps are then what can be done by hand. */
  readonly blocked?: string;
  readonly risks: readonly string[];
  readonly rollback: string;
  readonly next_steps: readonly string[];
  readonly outcome: Outcome;
  readonly stop_reason: StopReason;
  /** Whether VF-1 called for a check; with UNVERIFIED it makes exit code 3. */
  readonly check_wanted: boolean;
  readonly exit_code: number;
}
