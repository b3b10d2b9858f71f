import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { DeltaBody, MessageDelta, ModelPort, ModelRequest } from "../contract/delta.ts";
import type { ModelChoice } from "../contract/settings.ts";
import { type EventJudge, gated } from "./event-gate.ts";
import { Exchange, type Patience } from "./exchange.ts";
import type { Origin } from "./fault.ts";
import { PartReader } from "./part-reader.ts";
import { quirksOf } from "./quirks.ts";
import { readReply, type WireNotes } from "./sdk-stream.ts";
import { TextCalls } from "./text-calls.ts";

/** Sends one request of the SDK and hands it the answer. */
type Send = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What differs between protocols whose whole request the SDK writes. */
interface SdkWire {
  readonly model: {
    doStream(options: LanguageModelV4CallOptions): PromiseLike<{ stream: ReadableStream<LanguageModelV4StreamPart> }>;
  };
  readonly events: () => EventJudge;
  readonly options: (request: ModelRequest) => LanguageModelV4CallOptions;
}

export function sdkPort(
  choice: ModelChoice,
  origin: Origin,
  patience: Patience,
  url: (base: string) => string,
  wire: (fetch: typeof globalThis.fetch) => SdkWire,
): ModelPort {
  // The SDK hands our signal through to `fetch`: it tells which request a call belongs to.
  const sent = new WeakMap<object, { readonly exchange: Exchange; readonly judge: EventJudge }>();
  const target = url(choice.provider.baseUrl);
  const send: Send = async (_, init = {}) => {
    const found = sent.get(init.signal ?? {});
    if (found === undefined) throw new Error("a request without its exchange");
    const response = await found.exchange.fetch(target, init);
    if (!response.ok || response.body === null) return response;
    const { status, headers } = response;
    return new Response(gated(response.body, found.judge, found.exchange), { status, headers });
  };
  const { model, events, options } = wire(Object.assign(send, { preconnect: fetch.preconnect }));
  return {
    stream(request, signal) {
      const exchange = new Exchange(signal, patience);
      const judge = events();
      const open = () => {
        sent.set(exchange.signal, { exchange, judge });
        const headers = callHeaders(request);
        return model.doStream({ ...options(request), headers, abortSignal: exchange.signal });
      };
      return replyTo(request, choice, exchange, judge, origin, open);
    },
  };
}

/** The reply to one request, stamped with whose it is. */
export function replyTo(
  request: ModelRequest,
  { provider }: ModelChoice,
  exchange: Exchange,
  notes: WireNotes,
  origin: Origin,
  open: Parameters<typeof readReply>[0],
): AsyncGenerator<MessageDelta> {
  const { runId, modelCallIndex, attempt, tools } = request;
  let seq = 0;
  const stamp = (body: DeltaBody): MessageDelta => ({ runId, modelCallIndex, attempt, seq: seq++, ...body });
  const textCalls = quirksOf(provider).textToolCalls && tools.length > 0 ? new TextCalls(tools) : null;
  return readReply(open, exchange, new PartReader(notes, textCalls), notes, origin, stamp);
}

/** Metadata travels in headers everywhere: servers ignore unknown headers, while several refuse unknown body fields. */
export function callHeaders({ sessionId, runId, modelCallIndex }: ModelRequest): Record<string, string> {
  return { "x-session-id": sessionId, "x-coder-call": `${runId}/${modelCallIndex}` };
}

/** Query parameters of the base URL, such as Azure's api-version, stay behind the path. */
export function endpoint(baseUrl: string, path: string, version?: string): string {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, "");
  // Some vendors document their address with the version of the API, others without.
  const versioned = version === undefined || /\/v\d+\w*$/.test(base) ? base : `${base}/${version}`;
  url.pathname = `${versioned}${path}`;
  return url.href;
}
