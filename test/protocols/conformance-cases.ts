// What every adapter must make of a sound reply, whatever its protocol.
import type { MessageDelta } from "../../src/contract/delta.ts";
import { messageOf, type WireReply } from "../support/wire/reply.ts";
import type { Case } from "../support/wire/run.ts";
import { asIs, bytesOf, sample } from "./samples.ts";

const call = { kind: "call", tool: "read", args: '{"path":"a.txt"}' } as const;
const usage = { input: 9_000, output: 30, cached: 8_000, reasoning: 12 };
const signature = "b3BhcXVlLCBmb3IgdGhlIHNhbWUgbW9kZWw=";

const replies: readonly (readonly [name: string, reply: WireReply])[] = [
  ["text", { parts: [{ kind: "text", text: "All done." }] }],
  [
    "thinking, then text",
    {
      parts: [
        { kind: "thinking", text: "Hm, 好." },
        { kind: "text", text: "Yes." },
      ],
    },
  ],
  ["one call", { parts: [call] }],
  ["text, then calls at once", sample],
  ["twenty calls at once", { parts: Array.from({ length: 20 }, () => call) }],
  ["a call without arguments", { parts: [{ ...call, args: "{}" }] }],
  ["usage with cached and reasoning tokens", { parts: [{ kind: "text", text: "x" }], usage }],
  ["cut off at the token limit", { parts: [{ kind: "text", text: "The first of" }], finish: "length" }],
  ["cut off inside a call", { parts: [{ ...call, args: '{"path":' }], finish: "length" }],
  ["a refusal", { parts: [{ kind: "text", text: "I will not." }], finish: "refused" }],
  ["one character in a frame", { ...sample, chunkChars: 1 }],
  ["everything in one piece", { ...sample, chunkChars: 10_000 }],
  ["1 MB of text", { parts: [{ kind: "text", text: "päng\n".repeat(200_000) }], chunkChars: 40_000 }],
];

export const conformance: readonly Case[] = [
  ...replies.map(
    ([name, reply]): Case => ({
      name,
      tries: (wire) => (name === "cut off inside a call" && wire.protocol === "google" ? [] : [asIs(wire, reply)]),
    }),
  ),
  {
    name: "blocks in any order",
    // Chat has one text and one list of calls, in this order.
    tries: (wire) => (wire.protocol === "openai-chat" ? [] : [asIs(wire, mixed)]),
  },
  {
    name: "a signature is handed on",
    // Chat has none.
    tries: (wire) => (wire.protocol === "openai-chat" ? [] : [{ ...asIs(wire, signed), also: hasSignature }]),
  },
  {
    name: "the whole reply in one write",
    tries: (wire) => [
      {
        at: "one write",
        answer: { writes: [bytesOf(wire.frames(sample))] },
        expected: { message: messageOf(sample, wire.protocol) },
      },
    ],
  },
];

const mixed: WireReply = {
  parts: [
    { kind: "text", text: "First. " },
    call,
    { kind: "thinking", text: "And now?" },
    { kind: "text", text: "Second." },
    { ...call, tool: "edit" },
  ],
};

const signed: WireReply = { parts: [{ kind: "thinking", text: "Hm.", signature }, call] };

function hasSignature(deltas: readonly MessageDelta[]): string | null {
  const metas = deltas.map((delta) => ("meta" in delta ? delta.meta : undefined));
  return JSON.stringify(metas).includes(signature) ? null : "no delta brings the signature";
}
