// One reply of a model, independent of any protocol, and what a reader must make of it. The writers beside this file put it
// on the wire. Their frames are constructed from the public documentation of each protocol, not recorded.
import type { Protocol } from "../../../src/contract/settings.ts";
import type { Message } from "./outcome.ts";

export type WirePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string; readonly signature?: string }
  | {
      readonly kind: "call";
      readonly tool: string;
      /** As the model wrote them; JSON unless the attack is that they are not. */
      readonly args: string;
      /** `null` leaves it out; `call_w<n>` when absent. */
      readonly id?: string | null;
      readonly signature?: string;
    };

interface WireUsage {
  /** All of it, cached included. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
}

export interface WireReply {
  readonly parts: readonly WirePart[];
  readonly usage?: WireUsage;
  /** "stop" when absent; a reply with calls says on the wire that it wants them run. */
  readonly finish?: "stop" | "length" | "refused";
  /** Characters of text, thinking or arguments in one frame; 7 when absent. */
  readonly chunkChars?: number;
}

/** What a frame brings, so that an attack on it can be judged. `call` is the ordinal of a call. */
export type Carried =
  | { readonly kind: "text" | "thinking"; readonly piece: string }
  | { readonly kind: "args"; readonly call: number; readonly piece: string }
  /** Opens a call; with all its arguments where the protocol sends them whole. */
  | { readonly kind: "call"; readonly call: number; readonly piece: string }
  /** `copy` repeats in full what came in pieces; `frame` only opens or closes; `last` comes after everything was said. */
  | { readonly kind: "open" | "frame" | "copy" | "signature" | "finish" | "usage" | "ping" | "last" };

/** One server-sent event. */
export interface Frame {
  readonly sse: string;
  readonly carries: Carried;
}

export function idOf(part: Extract<WirePart, { kind: "call" }>, call: number): string | null {
  return part.id === undefined ? `call_w${call}` : part.id;
}

export function pieces(text: string, { chunkChars = 7 }: WireReply): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += chunkChars) found.push(text.slice(at, at + chunkChars));
  return found;
}

export function callsOf(reply: WireReply): readonly Extract<WirePart, { kind: "call" }>[] {
  return reply.parts.filter((part) => part.kind === "call");
}

export function joined(reply: WireReply, kind: "text" | "thinking"): string {
  return reply.parts.map((part) => (part.kind === kind ? part.text : "")).join("");
}

/** The message that a reader of this protocol must end with. */
export function messageOf(reply: WireReply, protocol: Protocol): Message {
  const calls = callsOf(reply).map((part, call) => ({ id: idOf(part, call), tool: part.tool, args: part.args }));
  const finish = reply.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  return {
    text: joined(reply, "text"),
    thinking: joined(reply, "thinking"),
    calls,
    usage: reply.usage
      ? {
          input: reply.usage.input,
          output: reply.usage.output,
          cachedInput: reply.usage.cached,
          // Anthropic counts thinking as output and does not say how much of it there was.
          reasoning: protocol === "anthropic" ? 0 : reply.usage.reasoning,
        }
      : null,
    finish,
  };
}
