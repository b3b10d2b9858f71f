import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { ModelPort, ModelRequest } from "../contract/delta.ts";
import type { ModelChoice, Quirks } from "../contract/settings.ts";
import { chatModel } from "./chat-model.ts";
import { ChatPrompt } from "./chat-prompt.ts";
import { Exchange, type Patience } from "./exchange.ts";
import type { Origin } from "./fault.ts";
import { isRecord } from "./json-value.ts";
import { toFunctionTool } from "./prompt.ts";
import { quirksOf } from "./quirks.ts";
import { callHeaders, endpoint, replyTo, textCallReader } from "./reply-to.ts";
import { unreadableBy, type WireNotes } from "./sdk-stream.ts";
import { WireHistory } from "./wire-history.ts";

/** Under which the SDK reports and takes what it does not know itself. */
const providerName = "openai-compatible";

interface Sent {
  readonly exchange: Exchange;
  readonly request: ModelRequest;
}

/** OpenAI's chat completions, as spoken by nearly every gateway and local server. */
export async function openChat(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const { OpenAICompatibleChatLanguageModel } = await import("@ai-sdk/openai-compatible");
  const { convertToOpenAICompatibleChatMessages } = await import("@ai-sdk/openai-compatible/internal");
  const { apiKey, headers, baseUrl } = choice.provider;
  const textCalls = await textCallReader(choice);
  const prompt = new ChatPrompt(choice);
  const history = new WireHistory((messages) =>
    convertToOpenAICompatibleChatMessages(messages, { providerOptionsKey: providerName }),
  );
  // All of a body but its messages, written by the SDK once: it stays the same as long as tools and session do.
  let frame: { readonly request: ModelRequest; readonly around: readonly [string, string] } | null = null;
  const isFramed = ({ tools, sessionId }: ModelRequest): boolean =>
    frame !== null && frame.request.tools === tools && frame.request.sessionId === sessionId;
  // The SDK hands our signal through to `fetch`: it tells which request a call belongs to.
  const sent = new WeakMap<object, Sent>();
  const send = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const found = sent.get(init.signal ?? {});
    if (found === undefined) throw new Error("a request without its exchange");
    const { exchange, request } = found;
    if (!isFramed(request)) frame = { request, around: aroundMessages(String(init.body)) };
    const [head, tail] = frame?.around ?? ["", ""];
    return exchange.fetch(url, { ...init, body: history.body(head, request.system, prompt.of(request), tail) });
  };
  const model = chatModel(OpenAICompatibleChatLanguageModel, choice.name, {
    provider: providerName,
    url: ({ path }) => endpoint(baseUrl, path),
    headers: { "user-agent": "coder", ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    includeUsage: quirksOf(choice.provider).streamOptions,
    fetch: Object.assign(send, { preconnect: fetch.preconnect }),
  });
  return {
    stream(request, signal) {
      const exchange = new Exchange(signal, patience);
      const open = () => {
        sent.set(exchange.signal, { exchange, request });
        const options = isFramed(request) ? {} : optionsOf(choice, request);
        const fixed = { prompt: [], headers: callHeaders(request), includeRawChunks: true };
        return model.doStream({ ...fixed, ...options, abortSignal: exchange.signal });
      };
      return replyTo(request, textCalls, exchange, chatNotes(), origin, open);
    },
  };
}

/** What the body says beside the messages, which are written into it on its way out. */
function optionsOf(choice: ModelChoice, request: ModelRequest): Partial<LanguageModelV4CallOptions> {
  const tools = request.tools.map(toFunctionTool);
  return {
    ...(tools.length > 0 ? { tools } : {}),
    ...(choice.maxOutput === undefined ? {} : { maxOutputTokens: choice.maxOutput }),
    ...extraFields(quirksOf(choice.provider), request),
  };
}

/** Fields that the SDK does not know: it writes them into the body as they are. */
function extraFields({ cacheKey, parallelCalls }: Quirks, { sessionId, tools }: ModelRequest) {
  const fields = {
    ...(cacheKey ? { prompt_cache_key: sessionId } : {}),
    ...(parallelCalls || tools.length === 0 ? {} : { parallel_tool_calls: false }),
  };
  return Object.keys(fields).length === 0 ? {} : { providerOptions: { [providerName]: fields } };
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

interface RawCall {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown } | null;
}

interface RawChunk {
  readonly error?: unknown;
  readonly choices?: readonly ({
    readonly finish_reason?: unknown;
    readonly delta?: { readonly tool_calls?: readonly (RawCall | null)[] | null } | null;
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

function chatNotes(): WireNotes {
  const ids = new Set<unknown>();
  const opened = new Set<unknown>();
  const unopened = new Set<unknown>();
  let last: RawChunk | null = null;
  let finish: string | null = null;
  return {
    note(raw) {
      last = isRecord(raw) ? raw : null;
      const choice = Array.isArray(last?.choices) ? last.choices[0] : undefined;
      if (typeof choice?.finish_reason === "string") finish = choice.finish_reason;
      const calls = choice?.delta?.tool_calls;
      for (const call of Array.isArray(calls) ? (calls as readonly (RawCall | null)[]) : []) {
        ids.add(call?.id);
        const index = call?.index;
        if (typeof call?.function?.name === "string") opened.add(index);
        else if (typeof index === "number" && !opened.has(index)) unopened.add(index);
      }
    },
    hasBlocks: false,
    providerId: (id) => (ids.has(id) ? id : null),
    failureOf(error) {
      if (last?.error !== undefined && last.error !== null) return { kind: "said", value: last.error };
      if (last !== null && last.choices === undefined) return null;
      // The SDK's word for a stream that ended without a finish reason.
      if (error instanceof Error && error.name === "AI_InvalidResponseDataError") return { kind: "cut_short" };
      return unreadableBy(error);
    },
    // The SDK gives the arguments of a call that never began to another.
    problem() {
      const lost = [...unopened].find((index) => !opened.has(index));
      return lost === undefined ? null : { kind: "unreadable", detail: `arguments of call ${lost}, which never began` };
    },
    finish: () => (finish === null ? null : (unified[finish] ?? "other")),
  };
}
