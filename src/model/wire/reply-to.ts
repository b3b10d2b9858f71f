import type { DeltaBody, MessageDelta, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { PartReader } from "../part-reader.ts";
import type { TextCalls } from "../reply/text-calls.ts";
import { quirksOf } from "../request/quirks.ts";
import { readReply, type WireNotes } from "../sdk-stream.ts";
import type { Exchange } from "./exchange.ts";

/** Reads calls out of the text of one reply; `null` where the provider's models write none there. */
export type TextCallReader = ((tools: ModelRequest["tools"]) => TextCalls) | null;

/** Loaded only for providers whose profile asks for it. */
export async function textCallReader({ provider }: ModelChoice): Promise<TextCallReader> {
  if (!quirksOf(provider).textToolCalls) return null;
  const { TextCalls } = await import("../reply/text-calls.ts");
  return (tools) => new TextCalls(tools);
}

/** The reply to one request, stamped with whose it is. */
export function replyTo(
  request: ModelRequest,
  textCalls: TextCallReader,
  exchange: Exchange,
  notes: WireNotes,
  origin: Origin,
  open: Parameters<typeof readReply>[0],
): AsyncGenerator<MessageDelta> {
  const { runId, modelCallIndex, attempt, tools } = request;
  let seq = 0;
  const stamp = (body: DeltaBody): MessageDelta => ({ runId, modelCallIndex, attempt, seq: seq++, ...body });
  const reader = new PartReader(notes, tools.length > 0 && textCalls !== null ? textCalls(tools) : null);
  return readReply(open, exchange, reader, notes, origin, stamp);
}
