import type { ErrorInfo } from "./error.ts";
import type { CallId } from "./ids.ts";
import type { Plan } from "./plan.ts";
import type { ResultData } from "./result-data.ts";
import type { Unkept } from "./undo.ts";

/** What a call may do: policy decides by it, never by the tool's name. `session` changes only our own state. */
export type Access = "read" | "write" | "exec" | "network" | "session";
/** How a resume treats a call with a stored intent and no stored result. */
export type AfterCrash = "repeat" | "reconcile" | "unknown";
/** What a call means to the rest of the program beyond its access. Set by the tool's definition, never derived from its name. */
export type CallRole =
  | "runs"
  | "checks"
  | "asks"
  | "delegates"
  /** Shows or kills a background job. */
  | "watches"
  | "plans"
  | "lists"
  | "undoes"
  | "commits"
  | "compares";

export interface Call {
  readonly id: CallId;
  readonly providerId: string | null;
  readonly tool: string;
  readonly input: unknown;
  /** Equal for equal (tool, input); used by the breakers. */
  readonly key: string;
  readonly access: Access;
  readonly afterCrash: AfterCrash;
  readonly role?: CallRole;
  /** It hands work to a sub-agent that may run beside others; absent in old logs, where none did. */
  readonly overlaps?: true;
  /** Why the call cannot run (unknown tool, invalid arguments); it is settled with this error. */
  readonly problem?: ErrorInfo;
  readonly edited?: true;
}

const LONGEST_SUBJECT = 120;

export function subjectOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const { command, path, pattern } = input as Readonly<Record<string, unknown>>;
  const subject = [command, path, pattern].find((one) => typeof one === "string");
  return typeof subject === "string" ? subject.slice(0, LONGEST_SUBJECT) : "";
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  /** The part of `input` that was written to a cache, if the provider counts it separately. */
  readonly writtenInput?: number;
  readonly reasoning: number;
}

export const noUsage: Usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cachedInput: a.cachedInput + b.cachedInput,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** Data per provider that it wants back unchanged with a part of its reply: signatures, encrypted reasoning, item ids. */
export type PartMeta = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A part of a reply. `length` counts UTF-16 units of `text` or `thinking` from the end of the previous part. */
export type ReplyPart =
  | { readonly kind: "text" | "thinking"; readonly length: number; readonly meta?: PartMeta }
  | { readonly kind: "call"; readonly ordinal: number; readonly meta?: PartMeta };

export interface AssistantReply {
  readonly text: string;
  readonly thinking: string;
  /** The order of the parts, with data for the same model; absent = text, then calls. */
  readonly parts?: readonly ReplyPart[];
  /** The model (`provider/name`) that wrote the parts: no other gets their `meta`. Set with `parts`. */
  readonly by?: string;
  readonly calls: readonly Call[];
  readonly usage: Usage;
  /** In micro-dollars at the price of the time; absent = unknown. */
  readonly cost?: number;
  readonly finish: "stop" | "tool_calls" | "length" | "refused" | "other";
}

export interface FileStamp {
  /** sha-256 in hex, also the name of the stored pre-image. */
  readonly hash: string;
  readonly size: number;
  /** Permission bits; for a symlink (content: its target) or a folder (no content) with the type bits. */
  readonly mode: number;
}

/** `null` = missing. `path` is for display, `real` is where the bytes are. */
export interface FileChange {
  readonly path: string;
  readonly real: string;
  readonly before: FileStamp | null;
  readonly after: FileStamp | null;
  /** The number of ancestors, from the parent upwards, created for this file. */
  readonly folders?: number;
  /**
   * For a change while a command ran: `shared` = another process changed the file too; `unclear` = the author is unknown. Absent = the
   * command changed it.
   */
  readonly doubt?: "shared" | "unclear";
  readonly from?: string;
}

/** What a call is about to do; durable before it starts. */
export interface Intent {
  readonly changes: readonly FileChange[];
  /** The text of the result, so that a change found applied after a crash is reported in the same words. */
  readonly text: string;
  readonly data?: ResultData;
}

export type Todo = {
  readonly id: string;
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  readonly priority: "high" | "medium" | "low";
};

export interface CallResult {
  readonly status: "done" | "failed" | "denied" | "cancelled" | "unknown" | "refused";
  /** Bounded and redacted. */
  readonly output: string;
  readonly error?: ErrorInfo;
  /** Equal for equal outcomes; used by the breakers. */
  readonly key: string;
  readonly ms: number;
  /** For JSON surfaces, where it says more than `output`. */
  readonly data?: ResultData;
  readonly changes?: readonly FileChange[];
  /** Files whose content the session now knows: real path and hash. */
  readonly seen?: readonly { readonly real: string; readonly hash: string }[];
  readonly todos?: readonly Todo[];
  readonly unkept?: readonly Unkept[];
  readonly plan?: Plan;
  /** The plan itself changed, not only its progress. */
  readonly isReplan?: true;
  /** Calls inside this one changed something. */
  readonly isProgress?: true;
  /** The bytes are blobs in the session's store. */
  readonly images?: readonly ImageRef[];
}

export interface ImageRef {
  readonly hash: string;
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

export type ModelMessage =
  | { readonly role: "user"; readonly text: string; readonly images?: readonly ImageRef[] }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly thinking?: string;
      readonly parts?: readonly ReplyPart[];
      readonly by?: string;
      readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[];
    }
  | {
      readonly role: "tool";
      readonly id: string;
      readonly tool: string;
      readonly text: string;
      readonly images?: readonly ImageRef[];
    };

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}
