// The four protocols as the tests see them.
import type { Protocol } from "../../../src/contract/settings.ts";
import { anthropicFrames } from "./anthropic.ts";
import { chatFrames } from "./chat.ts";
import { googleFrames } from "./google.ts";
import type { Frame, WireReply } from "./reply.ts";
import { responsesFrames } from "./responses.ts";

type Trouble = "overloaded" | "overflow";

export interface Wire {
  readonly protocol: Protocol;
  readonly path: string;
  readonly frames: (reply: WireReply) => readonly Frame[];
  /** The body of an error answer. */
  readonly errorBody: (status: number, message: string) => string;
  /** An error inside the stream. */
  readonly errorFrames: Readonly<Record<Trouble, string>>;
  /** A frame that says nothing new and may be repeated for ever. */
  readonly idle: string;
}

const tooLong = "prompt is too long: 213462 tokens > 200000 maximum";
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { readonly type: string }): string => `event: ${value.type}\n${data(value)}`;

const openaiError = (_: number, message: string): string =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } });

export const wires: readonly Wire[] = [
  {
    protocol: "openai-chat",
    path: "/v1/chat/completions",
    frames: chatFrames,
    errorBody: openaiError,
    errorFrames: {
      overloaded: data({ error: { message: "Overloaded", type: "server_error", code: 503 } }),
      overflow: data({
        error: { message: "too long", type: "invalid_request_error", code: "context_length_exceeded" },
      }),
    },
    idle: data({ id: "reply-w", choices: [{ index: 0, delta: {}, finish_reason: null }] }),
  },
  {
    protocol: "openai-responses",
    path: "/v1/responses",
    frames: responsesFrames,
    errorBody: openaiError,
    errorFrames: {
      overloaded: event({
        type: "error",
        code: "server_error",
        message: "The server is overloaded",
        param: null,
        sequence_number: 90,
      } as never),
      overflow: event({
        type: "response.failed",
        sequence_number: 90,
        response: {
          id: "resp_w",
          object: "response",
          created_at: 1,
          status: "failed",
          model: "tiny",
          output: [],
          error: { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." },
        },
      } as never),
    },
    idle: event({
      type: "response.in_progress",
      sequence_number: 1,
      response: { id: "resp_w", object: "response", created_at: 1, status: "in_progress", model: "tiny", output: [] },
    } as never),
  },
  {
    protocol: "anthropic",
    path: "/v1/messages",
    frames: anthropicFrames,
    errorBody: (_, message) =>
      JSON.stringify({ type: "error", error: { type: "api_error", message }, request_id: "req_w" }),
    errorFrames: {
      overloaded: event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } } as never),
      overflow: event({ type: "error", error: { type: "invalid_request_error", message: tooLong } } as never),
    },
    idle: event({ type: "ping" }),
  },
  {
    protocol: "google",
    path: "/v1/models/tiny:streamGenerateContent?alt=sse",
    frames: googleFrames,
    errorBody: (code, message) => JSON.stringify({ error: { code, message, status: "UNKNOWN" } }),
    errorFrames: {
      overloaded: data({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }),
      overflow: data({
        error: {
          code: 400,
          message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
          status: "INVALID_ARGUMENT",
        },
      }),
    },
    idle: data({ candidates: [{ content: { role: "model", parts: [{ text: "" }] }, index: 0 }] }),
  },
];
