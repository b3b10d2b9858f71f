import type { DeltaBody, MessageDelta, ModelPort, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { ReplyWriter } from "../reply/reply-writer.ts";
import type { TextCalls } from "../reply/text-calls.ts";
import { quirksOf } from "../request/quirks.ts";
import { callHeaders } from "./address.ts";
import type { EventDecoder } from "./event-reader.ts";
import { Exchange, type Patience } from "./exchange.ts";
import { readReply } from "./read-reply.ts";

export interface Wire {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (request: ModelRequest) => string | Uint8Array<ArrayBuffer>;
  readonly decoder: (reply: ReplyWriter) => EventDecoder;
  readonly joins?: true;
}

export async function modelPort(
  choice: ModelChoice,
  origin: Origin,
  patience: Patience,
  wire: Wire,
): Promise<ModelPort> {
  const textCalls = await textCallReader(choice);
  // The user's headers replace ours, in any spelling.
  const fixed = new Headers({ "content-type": "application/json", "user-agent": "coder" });
  for (const [name, value] of Object.entries(wire.headers)) fixed.set(name, value);
  const own = Object.fromEntries(fixed);
  return {
    stream(request, signal) {
      const { runId, modelCallIndex, attempt, tools } = request;
      let seq = 0;
      const stamp = (body: DeltaBody): MessageDelta => ({ runId, modelCallIndex, attempt, seq: seq++, ...body });
      const exchange = new Exchange(signal, patience);
      const isWritten = tools.length > 0 && textCalls !== null;
      const reply = new ReplyWriter({ textCalls: isWritten ? textCalls(tools) : null, joins: wire.joins === true });
      const send = () => {
        const headers = { ...own, ...callHeaders(request) };
        return exchange.send(wire.url, { method: "POST", headers, body: wire.body(request) });
      };
      return readReply({ exchange, decoder: wire.decoder(reply), reply, origin, send, stamp });
    },
  };
}

/** Loaded only for providers whose profile asks for it. */
async function textCallReader({
  provider,
}: ModelChoice): Promise<((tools: ModelRequest["tools"]) => TextCalls) | null> {
  if (!quirksOf(provider).textToolCalls) return null;
  const { TextCalls } = await import("../reply/text-calls.ts");
  return (tools) => new TextCalls(tools);
}
