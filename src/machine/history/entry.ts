import type { Attachment } from "../../contract/attachment.ts";
import type { CutReply, SubTask } from "../../contract/event.ts";
import type { AssistantReply, Call, CallResult } from "../../contract/message.ts";
import type { Mode } from "../../contract/task.ts";

export interface KeptResult extends CallResult {
  /** Length of the full output, when only its beginning is kept. */
  readonly chars?: number;
}

/** One item of the history, in the order in which the model sees it. Results of a step are filled in as they arrive. */
export type Entry =
  | {
      readonly kind: "user";
      readonly taskId: string;
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      readonly hints: string;
      /** For a sub-agent: its job, and the state of the task that started it. */
      readonly job?: SubJob;
    }
  | { readonly kind: "steer"; readonly text: string; readonly attachments?: readonly Attachment[] }
  | { readonly kind: "note"; readonly note: Note }
  | { readonly kind: "overview"; readonly text: string }
  | {
      readonly kind: "step";
      readonly text: string;
      /** Provider data that only the model that wrote it gets back. */
      readonly own: Pick<AssistantReply, "thinking" | "parts" | "by"> | null;
      readonly calls: readonly Call[];
      readonly results: ReadonlyMap<string, KeptResult>;
    }
  /** `isOurs`: coder started it to verify or undo, not the user. `isUnsent`: only the user wants to see it; the model never does. */
  | {
      readonly kind: "command";
      readonly call: Call;
      readonly results: ReadonlyMap<string, KeptResult>;
      readonly isOurs: boolean;
      readonly isUnsent: boolean;
    };

export interface SubJob {
  readonly sub: SubTask;
  readonly mayWrite: boolean;
  readonly hints: string;
  readonly mode: Mode;
}

/** A message of coder to the model: a text, or a fact that `context/` puts into words. */
export type Note =
  | string
  /** The current workspace rules; empty = they no longer hold. */
  | { readonly rules: string }
  | { readonly mode: Mode }
  | { readonly cut: Pick<CutReply, "text" | "why"> };

/** Index of the user entry of the task around `cut`, or -1. Depends on the cut alone, so later tasks keep a request's prefix. */
export function taskAt(entries: readonly Entry[], cut: number): number {
  if (entries[cut]?.kind === "user") return -1;
  let at = cut - 1;
  while (at >= 0 && entries[at]?.kind !== "user") at--;
  return at;
}

/** Whether every call of the entry has its result. */
export function hasAllResults(entry: Entry): boolean {
  if (entry.kind === "step") return entry.calls.every(({ id }) => entry.results.has(id));
  return entry.kind !== "command" || entry.results.has(entry.call.id);
}

export function commandOf(call: Call): string {
  const input = call.input;
  return typeof input === "object" && input !== null && "command" in input ? String(input.command) : call.tool;
}
