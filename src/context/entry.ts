import type { Attachment } from "../contract/attachment.ts";
import type { AssistantReply, Call, CallResult } from "../contract/message.ts";

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
      hints: string;
    }
  | { readonly kind: "steer"; readonly text: string; readonly attachments?: readonly Attachment[] }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "overview"; readonly text: string }
  | {
      readonly kind: "step";
      readonly text: string;
      /** What goes back to the model that wrote it. */
      readonly own: Pick<AssistantReply, "thinking" | "parts" | "by"> | null;
      readonly calls: readonly Call[];
      readonly results: Map<string, KeptResult>;
    }
  /** `isOurs`: started by us to verify or to take back, not by the person. */
  | {
      readonly kind: "command";
      readonly call: Call;
      readonly results: Map<string, KeptResult>;
      readonly isOurs: boolean;
    };

export function commandOf(call: Call): string {
  const input = call.input;
  return typeof input === "object" && input !== null && "command" in input ? String(input.command) : call.tool;
}
