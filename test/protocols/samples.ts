// Replies that the tables share.
import type { Wire } from "../support/wire/protocols.ts";
import { type Frame, messageOf, type WireReply } from "../support/wire/reply.ts";
import type { Try } from "../support/wire/run.ts";

/** A bit of everything: several scripts, a joined emoji that pieces cut in half, two calls, all kinds of usage. */
export const sample: WireReply = {
  parts: [
    { kind: "thinking", text: "Erst lesen, dann 修改 …", signature: "c2lnbmF0dXJlIG9mIHRoZSB0aG91Z2h0" },
    { kind: "text", text: "Grüße 👩‍💻 aus 世界: I read it." },
    { kind: "call", tool: "read", args: '{"path":"a b/ü.txt"}' },
    { kind: "call", tool: "edit", args: '{"path":"x","edits":[{"old":"1","new":"{}"}]}' },
  ],
  usage: { input: 120, output: 50, cached: 40, reasoning: 7 },
};

export function bytesOf(frames: readonly Frame[]): Uint8Array {
  return new TextEncoder().encode(frames.map(({ sse }) => sse).join(""));
}

/** The reply as it is, one frame at a time. */
export function asIs(wire: Wire, reply: WireReply, at = "as it is"): Try {
  const writes = wire.frames(reply).map(({ sse }) => sse);
  return { at, answer: { writes }, expected: { message: messageOf(reply, wire.protocol) } };
}
