import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { DeltaBody, MessageDelta, ModelPort, ModelRequest } from "../contract/delta.ts";
import type { ModelChoice } from "../contract/settings.ts";
import { chatChunkSchema } from "./chat-chunk.ts";
import { Exchange, type Patience } from "./exchange.ts";
import type { Origin } from "./fault.ts";
import { toFunctionTool } from "./prompt.ts";
import { type RawNotes, readReply } from "./sdk-stream.ts";
import { WireHistory } from "./wire-history.ts";

interface Sent {
  readonly exchange: Exchange;
  readonly request: ModelRequest;
}

/** OpenAI's chat completions, as spoken by nearly every gateway and local server. */
export async function openChat(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const { OpenAICompatibleChatLanguageModel } = await import("@ai-sdk/openai-compatible");
  const { convertToOpenAICompatibleChatMessages } = await import("@ai-sdk/openai-compatible/internal");
  const { apiKey, headers, baseUrl } = choice.provider;
  // The SDK hands our signal through to `fetch`: it tells which request a call belongs to.
  const sent = new WeakMap<object, Sent>();
  const send = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const found = sent.get(init.signal ?? {});
    if (found === undefined) throw new Error("a request without its exchange");
    const [head, tail] = aroundMessages(String(init.body));
    const { system, messages } = found.request;
    return found.exchange.fetch(url, { ...init, body: history.body(head, system, messages, tail) });
  };
  const model = new OpenAICompatibleChatLanguageModel(choice.name, {
    provider: "openai-compatible",
    url: ({ path }) => endpoint(baseUrl, path),
    headers: { "user-agent": "coder", ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    includeUsage: true,
    fetch: Object.assign(send, { preconnect: fetch.preconnect }),
  });
  // A private field of the SDK, which is pinned; a test fails when it is gone. Without it the SDK checks by itself, slower.
  if ("chunkSchema" in model) Object.assign(model, { chunkSchema: chatChunkSchema });
  const history = new WireHistory(convertToOpenAICompatibleChatMessages);

  function stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<MessageDelta> {
    const { runId, modelCallIndex, attempt } = request;
    const exchange = new Exchange(signal, patience);
    const open = () => {
      sent.set(exchange.signal, { exchange, request });
      const tools = request.tools.map(toFunctionTool);
      return model.doStream({
        prompt: [],
        ...(tools.length > 0 ? { tools } : {}),
        headers: callHeaders(request),
        includeRawChunks: true,
        abortSignal: exchange.signal,
      });
    };
    let seq = 0;
    const stamp = (body: DeltaBody): MessageDelta => ({ runId, modelCallIndex, attempt, seq: seq++, ...body });
    return readReply(open, exchange, chatNotes(), origin, stamp);
  }
  return { stream };
}

/** Query parameters of the base URL, such as Azure's api-version, stay behind the path. */
function endpoint(baseUrl: string, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  return url.href;
}

/** Metadata travels in headers only: servers ignore unknown headers, while several refuse unknown body fields. */
function callHeaders({ sessionId, runId, modelCallIndex }: ModelRequest): Record<string, string> {
  return { "x-session-id": sessionId, "x-coder-call": `${runId}/${modelCallIndex}` };
}

const hole = '"messages":[]';

/** The SDK is given no messages; the JSON of the history goes between what stands before and after the hole it leaves. */
function aroundMessages(body: string): readonly [head: string, tail: string] {
  // In any string value the quotes would be escaped, so the first match is the field itself.
  const at = body.indexOf(hole);
  if (at === -1) throw new Error("the SDK's request body has no empty list of messages");
  const inside = at + hole.length - 1;
  return [body.slice(0, inside), body.slice(inside)];
}

interface RawChunk {
  readonly error?: unknown;
  readonly choices?: readonly ({
    readonly finish_reason?: unknown;
    readonly delta?: { readonly tool_calls?: readonly ({ readonly id?: unknown } | null)[] | null } | null;
  } | null)[];
}

const unified: Readonly<Record<string, LanguageModelV4FinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  error: "error",
};

function chatNotes(): RawNotes {
  const ids = new Set<unknown>();
  let last: RawChunk | null = null;
  let finish: string | null = null;
  return {
    note(raw) {
      last = typeof raw === "object" ? (raw as RawChunk | null) : null;
      const choice = Array.isArray(last?.choices) ? last.choices[0] : undefined;
      if (typeof choice?.finish_reason === "string") finish = choice.finish_reason;
      const calls = choice?.delta?.tool_calls;
      if (Array.isArray(calls)) for (const call of calls) ids.add(call?.id);
    },
    isWireId: (id) => ids.has(id),
    failureOf(error) {
      if (last?.error !== undefined && last.error !== null) return { kind: "said", value: last.error };
      if (last !== null && last.choices === undefined) return null;
      // The SDK's word for a stream that ended without a finish reason.
      if (error instanceof Error && error.name === "AI_InvalidResponseDataError") return { kind: "cut_short" };
      // The SDK's own text repeats the whole event; its first line says what is wrong with it.
      const detail = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
      return { kind: "unreadable", detail };
    },
    finish: () => (finish === null ? null : (unified[finish] ?? "other")),
  };
}
