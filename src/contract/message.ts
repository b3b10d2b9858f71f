import type { ErrorInfo } from "./error.ts";
import type { CallId } from "./ids.ts";
import type { Plan } from "./plan.ts";
import type { ResultData } from "./result-data.ts";
import type { Unkept } from "./undo.ts";

/** What a call may do; policy decides on it, never on the tool's name. `session` changes only our own state (todos). */
export type Access = "read" | "write" | "exec" | "network" | "session";
/** What a resume does with a call whose intent is stored and whose result is not. */
export type AfterCrash = "repeat" | "reconcile" | "unknown";
/** What a call is to the rest of the program, where that is more than its access. The tool's definition says it, never its name. */
export type CallRole =
  /** Runs a shell command that somebody wrote. */
  | "runs"
  /** Runs the project's own checks. */
  | "checks"
  /** Puts a question to the person. */
  | "asks"
  /** Hands work to a sub-agent. */
  | "delegates"
  /** Looks at a background job. */
  | "watches"
  /** Sets the plan. */
  | "plans"
  /** Shows or replaces the todo list. */
  | "lists"
  | "undoes"
  | "commits"
  /** Shows what changed since a commit. */
  | "compares";

/** One tool call of a committed assistant message, already checked against the tool's schema. */
export interface Call {
  readonly id: CallId;
  readonly providerId: string | null;
  readonly tool: string;
  readonly input: unknown;
  /** Equal for equal (tool, input); the breakers count it. */
  readonly key: string;
  readonly access: Access;
  readonly afterCrash: AfterCrash;
  readonly role?: CallRole;
  /** Set when it cannot run at all (unknown tool, invalid arguments): it is settled with this error. */
  readonly problem?: ErrorInfo;
  /** The person changed the arguments; the result tells the model so. */
  readonly edited?: true;
}

/** Enough to name a call to a person. */
const LONGEST_SUBJECT = 120;

/** What a call is about, as far as that is one of its arguments. */
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
  /** Of the input: what was put into a cache, where that is counted by itself. */
  readonly writtenInput?: number;
  readonly reasoning: number;
}

export const noUsage: Usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };

/** What a provider wants back unchanged with a part of its reply (signatures, encrypted reasoning, item ids), by provider. */
export type PartMeta = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** One part of a reply in its place. `length` counts UTF-16 units of the reply's `text` or `thinking`, from where the last ended. */
export type ReplyPart =
  | { readonly kind: "text" | "thinking"; readonly length: number; readonly meta?: PartMeta }
  | { readonly kind: "call"; readonly ordinal: number; readonly meta?: PartMeta };

export interface AssistantReply {
  readonly text: string;
  readonly thinking: string;
  /** The order of its parts with what goes back to the same model; absent where text, then calls, says it all. */
  readonly parts?: readonly ReplyPart[];
  /** Which model wrote it (`provider/name`): nobody else is shown its `meta`. Set with `parts`. */
  readonly by?: string;
  readonly calls: readonly Call[];
  readonly usage: Usage;
  /** Micro-dollars, at the price of then; absent where it was not known. */
  readonly cost?: number;
  readonly finish: "stop" | "tool_calls" | "length" | "refused" | "other";
}

export interface FileStamp {
  /** sha-256 of the bytes, hex; also the name of the stored pre-image. */
  readonly hash: string;
  readonly size: number;
  /** Permissions; of a symbolic link (content: the text it consists of) and of a folder (no content) with the bits of their type. */
  readonly mode: number;
}

/** One file as it was and as it shall be; `null` = does not exist. `path` is shown, `real` is where the bytes are. */
export interface FileChange {
  readonly path: string;
  readonly real: string;
  readonly before: FileStamp | null;
  readonly after: FileStamp | null;
  /** How many of the folders above it, from it upwards, were made for it. */
  readonly folders?: number;
  /**
   * Of a change while a command ran: `shared` = somebody else changed the file at the same time; `unclear` = it cannot be told who
   * did. Absent = it is known to be the command's.
   */
  readonly doubt?: "shared" | "unclear";
  /** Of a file that a command moved here: the real path where it was before. */
  readonly from?: string;
}

/** What a call is about to do, durable before it starts. */
export interface Intent {
  readonly changes: readonly FileChange[];
  /** What the result will say, so that a change found applied after a crash is reported in the same words. */
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
  /** What the model reads: bounded and redacted. */
  readonly output: string;
  readonly error?: ErrorInfo;
  /** Equal for equal outcomes; the breakers count it. */
  readonly key: string;
  readonly ms: number;
  /** Structured value for JSON surfaces where it says more than `output`. */
  readonly data?: ResultData;
  readonly changes?: readonly FileChange[];
  /** Files whose content the session now knows: real path and hash. */
  readonly seen?: readonly { readonly real: string; readonly hash: string }[];
  readonly todos?: readonly Todo[];
  /** What a command changed and cannot be taken back. */
  readonly unkept?: readonly Unkept[];
  readonly plan?: Plan;
  /** The plan was changed, not only followed. */
  readonly isReplan?: true;
  /** Something was changed by calls inside this one. */
  readonly isProgress?: true;
  /** Images for a model that takes them; the bytes are blobs of the session's store. */
  readonly images?: readonly ImageRef[];
}

export interface ImageRef {
  /** sha-256 of the bytes, hex. */
  readonly hash: string;
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

/** One message of a model request, independent of any provider's wire format. */
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
  /** JSON Schema of the arguments. */
  readonly schema: Readonly<Record<string, unknown>>;
}
