import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelPort, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice, Quirks } from "../../contract/settings.ts";
import { chatModel } from "../chat-model.ts";
import type { Origin } from "../fault/fault.ts";
import { toFunctionTool } from "../prompt.ts";
import { chatEffort } from "../request/effort.ts";
import { quirksOf } from "../request/quirks.ts";
import { callHeaders, endpoint } from "../wire/address.ts";
import { EventGate } from "../wire/event-gate.ts";
import { Exchange, type Patience } from "../wire/exchange.ts";
import { replyTo, textCallReader } from "../wire/reply-to.ts";
import { WireHistory } from "../wire-history.ts";
import { ChatEvents } from "./chat-events.ts";
import { ChatPrompt } from "./chat-messages.ts";

/** Under which the SDK reports and takes what it does not know itself. */
const providerName = "openai-compatible";

interface Sent {
  readonly exchange: Exchange;
  readonly events: ChatEvents;
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
    const { exchange, events, request } = found;
    if (!isFramed(request)) frame = { request, around: aroundMessages(String(init.body)) };
    const [head, tail] = frame?.around ?? ["", ""];
    const body = history.body(head, request.system, prompt.of(request), tail);
    return exchange.fetch(url, { ...init, body }, new EventGate(events, exchange));
  };
  const model = chatModel(OpenAICompatibleChatLanguageModel, choice.name, {
    provider: providerName,
    url: ({ path }) => endpoint(baseUrl, path),
    headers: { "user-agent": "coder", ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    includeUsage: quirksOf(choice.provider).streamOptions,
    fetch: Object.assign(send, { preconnect: fetch.preconnect }),
  });
  // Once the frame is known, what the SDK would write around the messages is thrown away: it need not be put together.
  const nothing = { args: { messages: [] }, warnings: [], metadataKey: providerName };
  const framed = Object.create(model, { getArgs: { value: () => Promise.resolve(nothing) } }) as typeof model;
  return {
    stream(request, signal) {
      const exchange = new Exchange(signal, patience);
      const events = new ChatEvents();
      const open = () => {
        sent.set(exchange.signal, { exchange, events, request });
        const fixed = { prompt: [], headers: callHeaders(request), abortSignal: exchange.signal };
        return isFramed(request) ? framed.doStream(fixed) : model.doStream({ ...fixed, ...optionsOf(choice, request) });
      };
      return replyTo(request, textCalls, exchange, events, origin, open);
    },
  };
}

/** What the body says beside the messages, which are written into it on its way out. */
function optionsOf(choice: ModelChoice, request: ModelRequest): Partial<LanguageModelV4CallOptions> {
  const tools = request.tools.map(toFunctionTool);
  return {
    ...(tools.length > 0 ? { tools } : {}),
    ...(choice.maxOutput === undefined ? {} : { maxOutputTokens: choice.maxOutput }),
    ...extraFields(choice, request),
  };
}

/** Fields that the SDK does not know: it writes them into the body as they are. */
function extraFields({ provider, effort }: ModelChoice, { sessionId, tools }: ModelRequest) {
  const { cacheKey, parallelCalls }: Quirks = quirksOf(provider);
  const fields = {
    ...chatEffort(effort),
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
