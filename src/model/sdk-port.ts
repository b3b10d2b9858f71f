import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelPort, ModelRequest } from "../contract/delta.ts";
import type { ModelChoice } from "../contract/settings.ts";
import type { Origin } from "./fault/fault.ts";
import { callHeaders } from "./wire/address.ts";
import { EventGate, type EventJudge } from "./wire/event-gate.ts";
import { Exchange, type Patience } from "./wire/exchange.ts";
import { replyTo, textCallReader } from "./wire/reply-to.ts";

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

export async function sdkPort(
  choice: ModelChoice,
  origin: Origin,
  patience: Patience,
  url: (base: string) => string,
  wire: (fetch: typeof globalThis.fetch) => SdkWire,
): Promise<ModelPort> {
  const textCalls = await textCallReader(choice);
  // The SDK hands our signal through to `fetch`: it tells which request a call belongs to.
  const sent = new WeakMap<object, { readonly exchange: Exchange; readonly judge: EventJudge }>();
  const target = url(choice.provider.baseUrl);
  const send: Send = (_, init = {}) => {
    const found = sent.get(init.signal ?? {});
    if (found === undefined) throw new Error("a request without its exchange");
    return found.exchange.fetch(target, init, new EventGate(found.judge, found.exchange));
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
      return replyTo(request, textCalls, exchange, judge, origin, open);
    },
  };
}
