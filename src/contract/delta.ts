import type { ErrorInfo } from "./error.ts";
import type { RunId } from "./ids.ts";
import type { PartMeta, Usage } from "./message.ts";
import type { Phrase } from "./text/catalogue.ts";

/** A streamed fragment: shown, never stored as truth. `start` comes first, exactly one `done` or `error` last; `seq` strictly increases. */
export type MessageDelta = {
  readonly runId: RunId;
  readonly modelCallIndex: number;
  readonly attempt: number;
  readonly seq: number;
} & DeltaBody;

export type DeltaBody =
  | { readonly kind: "start" }
  /** `block`: the part of the reply, if the provider distinguishes parts; an empty text only carries `meta`. */
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

/** The class of a failed model call, which decides what happens next. */
export interface ModelFault {
  readonly kind: "connection" | "busy" | "idle" | "auth" | "bad_request" | "overflow" | "cancelled" | "protocol";
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
  readonly imageBytes: (hash: string) => Uint8Array | null;
}

export interface ModelPort {
  /** Does not throw for external failures: the last delta is `done` or `error`. Does not retry. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<MessageDelta>;
  /** The window size that the server reports, if nothing else knows it. */
  readonly window?: number | undefined;
  /** To be shown to the user once. */
  readonly notice?: Phrase | undefined;
}
