import type { ErrorInfo } from "./error.ts";
import type { RunId } from "./ids.ts";
import type { PartMeta, Usage } from "./message.ts";
import type { Phrase } from "./text/catalogue.ts";

/** A streamed fragment: shown, never stored as truth. `start` first, exactly one `done` or `error` last, `seq` strictly rising. */
export type MessageDelta = {
  readonly runId: RunId;
  readonly modelCallIndex: number;
  readonly attempt: number;
  readonly seq: number;
} & DeltaBody;

export type DeltaBody =
  | { readonly kind: "start" }
  /** `block`: which part of the reply it belongs to, where the provider tells parts apart; an empty text only brings `meta`. */
  | { readonly kind: "text"; readonly text: string; readonly block?: number; readonly meta?: PartMeta }
  | { readonly kind: "thinking"; readonly text: string; readonly block?: number; readonly meta?: PartMeta }
  | {
      readonly kind: "tool_call_start";
      readonly ordinal: number;
      readonly providerId: string | null;
      readonly tool: string;
    }
  | { readonly kind: "tool_call_args"; readonly ordinal: number; readonly text: string }
  | { readonly kind: "tool_call_end"; readonly ordinal: number; readonly meta?: PartMeta }
  | { readonly kind: "usage"; readonly usage: Usage }
  | { readonly kind: "done"; readonly finish: "stop" | "tool_calls" | "length" | "refused" | "other" }
  | { readonly kind: "error"; readonly error: ErrorInfo; readonly fault: ModelFault };

/** Why a model call failed, as far as the next move depends on it. */
export interface ModelFault {
  readonly kind: "connection" | "busy" | "idle" | "auth" | "bad_request" | "overflow" | "cancelled" | "protocol";
  /** From Retry-After, when the provider said so. */
  readonly retryAfterMs: number | null;
}

export interface ModelRequest {
  readonly sessionId: string;
  readonly runId: RunId;
  readonly modelCallIndex: number;
  readonly attempt: number;
  readonly system: string;
  readonly messages: readonly import("./message.ts").ModelMessage[];
  readonly tools: readonly import("./message.ts").ToolSpec[];
  /** The bytes behind an image of a message; `null` when they are gone. */
  readonly imageBytes: (hash: string) => Uint8Array | null;
}

export interface ModelPort {
  /** Never throws for what the outside did: the last delta is `done` or `error`. No retries of its own. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<MessageDelta>;
  /** What its server says about the size of its window, where nobody else does. */
  readonly window?: number | undefined;
  /** What the person should know about that, once. */
  readonly notice?: Phrase | undefined;
}
