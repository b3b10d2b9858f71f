import type { Attachment } from "../../contract/attachment.ts";
import type { CutReply, SubTask } from "../../contract/event.ts";
import type { AssistantReply, Call, CallResult } from "../../contract/message.ts";
import type { Mode } from "../../contract/task.ts";

/** A result as far as it is still held in memory. */
export interface KeptResult extends CallResult {
  /** How long the output was, where only its beginning is left. */
  readonly chars?: number;
}

/** One item of the conversation, in the order in which the model sees it. Steps are filled in as results arrive. */
export type Entry =
  | {
      readonly kind: "user";
      readonly taskId: string;
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      readonly hints: string;
      /** Of a sub-agent: what it was handed, and where the task stood. */
      readonly job?: SubJob;
    }
  | { readonly kind: "steer"; readonly text: string; readonly attachments?: readonly Attachment[] }
  | { readonly kind: "note"; readonly note: Note }
  | { readonly kind: "overview"; readonly text: string }
  | {
      readonly kind: "step";
      readonly text: string;
      /** What goes back to the model that wrote it. */
      readonly own: Pick<AssistantReply, "thinking" | "parts" | "by"> | null;
      readonly calls: readonly Call[];
      readonly results: ReadonlyMap<string, KeptResult>;
    }
  /** `isOurs`: started by us to verify or to take back, not by the person. */
  | {
      readonly kind: "command";
      readonly call: Call;
      readonly results: ReadonlyMap<string, KeptResult>;
      readonly isOurs: boolean;
    };

export interface SubJob {
  readonly sub: SubTask;
  readonly mayWrite: boolean;
  /** Of the task that hands it on. */
  readonly hints: string;
  readonly mode: Mode;
}

/** What coder tells the model in between, in its own words or as a fact that `context/` puts into words. */
export type Note =
  | string
  /** The rules of the workspace as they are told now; empty = they no longer hold. */
  | { readonly rules: string }
  | { readonly mode: Mode }
  | { readonly cut: Pick<CutReply, "text" | "why"> };

/**
 * The task that the entry at this position belongs to, where that lies before it; -1 when it begins there. It follows from the
 * cut alone: a later task changes nothing in the prefix of a request.
 */
export function taskAt(entries: readonly Entry[], cut: number): number {
  if (entries[cut]?.kind === "user") return -1;
  let at = cut - 1;
  while (at >= 0 && entries[at]?.kind !== "user") at--;
  return at;
}

export function commandOf(call: Call): string {
  const input = call.input;
  return typeof input === "object" && input !== null && "command" in input ? String(input.command) : call.tool;
}
