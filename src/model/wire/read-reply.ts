import type { DeltaBody, MessageDelta } from "../../contract/delta.ts";
import { type Failure, faultDelta, type Origin } from "../fault/fault.ts";
import { finishWith } from "../reply/finish.ts";
import type { ReplyWriter } from "../reply/reply-writer.ts";
import { type EventDecoder, EventReader } from "./event-reader.ts";
import type { Exchange } from "./exchange.ts";

export interface Call {
  readonly exchange: Exchange;
  readonly decoder: EventDecoder;
  readonly reply: ReplyWriter;
  readonly origin: Origin;
  readonly send: () => Promise<Response>;
  readonly stamp: (body: DeltaBody) => MessageDelta;
}

/** From `start` to `done` or `error`; never throws. Stamps here, because a wrapping generator costs a microtask per delta. */
export async function* readReply(call: Call): AsyncGenerator<MessageDelta> {
  const { exchange, decoder, reply, origin, stamp } = call;
  yield stamp({ kind: "start" });
  try {
    const answer = await call.send();
    if (!answer.ok) return yield stamp(faultDelta(origin, await refusal(answer, exchange)));
    const events = new EventReader(decoder, reply, exchange);
    for (let bytes = await exchange.next(); bytes !== null; bytes = await exchange.next()) {
      const before = reply.progress;
      const failure = events.push(bytes);
      if (failure !== null) exchange.fail(failure);
      if (reply.progress > before) exchange.progressed();
      const written = reply.take();
      if (written.length > 0) exchange.pause();
      for (const body of written) {
        yield stamp(body);
        if (exchange.failure?.kind === "cancelled") break;
      }
      exchange.resume();
      if (exchange.failure !== null) break;
    }
    for (const body of ending(call)) yield stamp(body);
  } catch (error) {
    yield stamp(faultDelta(origin, exchange.failure ?? { kind: "thrown", error }));
  } finally {
    exchange.end();
  }
}

/** An error status tells more than the fact that its body broke off. */
async function refusal({ status, headers }: Response, exchange: Exchange): Promise<Failure> {
  const text = await exchange.refusal();
  const cut = exchange.failure;
  return cut === null || cut.kind === "broken" ? { kind: "refused", status, headers, text } : cut;
}

function ending({ exchange, decoder, reply, origin }: Call): readonly DeltaBody[] {
  const failure = problem(exchange.failure, decoder, reply);
  const usage = decoder.usage();
  const counted: readonly DeltaBody[] = usage === null ? [] : [{ kind: "usage", usage }];
  if (failure === null) {
    const finish = finishWith(decoder.finish() ?? "other", reply.callCount);
    return [...reply.take(), ...counted, { kind: "done", finish }];
  }
  const isOurs = failure.kind === "cancelled" || failure.kind === "too_large";
  return [...(isOurs ? [] : counted), faultDelta(origin, failure)];
}

/** After a complete reply, the fate of the connection does not matter. */
function problem(cut: Failure | null, decoder: EventDecoder, reply: ReplyWriter): Failure | null {
  const isAboutReply = cut !== null && !["idle", "broken"].includes(cut.kind);
  if (isAboutReply) return cut;
  if (decoder.finish() === null) return cut ?? { kind: "cut_short" };
  const lacking = decoder.end();
  reply.end();
  return lacking ?? reply.failure;
}
