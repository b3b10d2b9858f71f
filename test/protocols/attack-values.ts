// Sound frames with strange content: ids, arguments, usage, empty replies.
import type { Message } from "../support/wire/outcome.ts";
import type { Wire } from "../support/wire/protocols.ts";
import { messageOf, type WirePart, type WireReply } from "../support/wire/reply.ts";
import type { Case, Try } from "../support/wire/run.ts";
import { sample } from "./samples.ts";

const call = (args: string, id?: string | null): WirePart => ({
  kind: "call",
  tool: "read",
  args,
  ...(id === undefined ? {} : { id }),
});

/** `what` must come out as it was sent, except for `but`. */
function sent(wire: Wire, at: string, what: WireReply, but: Partial<Message> = {}): Try {
  return {
    at,
    answer: { writes: wire.frames(what).map(({ sse }) => sse) },
    expected: { message: { ...messageOf(what, wire.protocol), ...but } },
  };
}

function replyAttack(name: string, what: WireReply, but: Partial<Message> = {}): Case {
  return { name, tries: (wire) => [sent(wire, name, what, but)] };
}

const withIds = (...ids: readonly (string | null)[]): WireReply => ({
  parts: ids.map((id, n) => call(JSON.stringify({ path: `file ${n}` }), id)),
});

/** The calls of a reply, with the ids that a reader can use. */
function idAttack(name: string, reply: WireReply, ids: readonly (string | null)[]): Case {
  return {
    name,
    tries: (wire) => {
      const calls = messageOf(reply, wire.protocol).calls.map((one, n) => ({ ...one, id: ids[n] ?? null }));
      return [sent(wire, name, reply, { calls })];
    },
  };
}

const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;

export const valueAttacks: readonly Case[] = [
  idAttack("one id for all calls", withIds("same", "same", "same"), ["same"]),
  idAttack("empty ids", withIds("", ""), []),
  idAttack("missing ids", withIds(null, null), []),
  idAttack("an id of 5,000 characters", withIds("x".repeat(5_000)), ["x".repeat(5_000)]),
  idAttack("ids with strange characters", withIds("../../a\n\u0000ü"), ["../../a\n\u0000ü"]),
  {
    name: "the same call twice, with different ids",
    tries: (wire) => [sent(wire, "twice", { parts: [call("{}", "a"), call("{}", "b")] })],
  },
  { name: "an empty reply", tries: (wire) => [sent(wire, "nothing", { parts: [] })] },
  replyAttack("only thinking", { parts: [{ kind: "thinking", text: "Hm." }] }),
  { name: "a refusal without words", tries: (wire) => emptyRefusal(wire) },
  {
    name: "only the repetition in full",
    tries: (wire) => (wire.protocol === "openai-responses" ? [onlyCopies(wire)] : []),
  },
  { name: "arguments that are not JSON", tries: (wire) => [sent(wire, "not JSON", { parts: [call("{path: a}")] })] },
  {
    name: "arguments with a trailing comma",
    tries: (wire) => [sent(wire, "comma", { parts: [call('{"path":"a",}')] })],
  },
  replyAttack("arguments nested 5,000 deep", { parts: [call(deep)], chunkChars: 4_000 }),
  replyAttack("arguments that are a list", { parts: [call("[1,2]")] }),
  replyAttack("half a surrogate pair in the text", {
    parts: [
      { kind: "text", text: "a\ud83d" },
      { kind: "text", text: "b" },
    ],
  }),
  replyAttack("control characters in the text", { parts: [{ kind: "text", text: "\u0000\u001b[2J\u0007" }] }),
  replyAttack("arguments named like parts of the language", { parts: [call('{"__proto__":{"x":1},"constructor":2}')] }),
  replyAttack("tools named like parts of the language", {
    parts: ["__proto__", "constructor", "toString"].map((tool) => ({ kind: "call", tool, args: "{}" })),
  }),
  usageAttack("no usage at all", () => undefined, null),
  usageAttack("negative usage", () => -5, { input: 0, output: 0, cachedInput: 0, reasoning: 0 }),
  usageAttack("usage beyond all numbers", () => 1e300, { input: 0, output: 0, cachedInput: 0, reasoning: 0 }),
  {
    name: "usage of the wrong type",
    tries: (wire) => [
      { ...usageTry(wire, () => "many", null), expected: { fault: "protocol", says: "model.unreadable" } },
    ],
  },
];

const nothing: WireReply = { parts: [], finish: "refused" };

function emptyRefusal(wire: Wire): readonly Try[] {
  const plain = sent(wire, "no words", nothing);
  switch (wire.protocol) {
    case "openai-chat":
    case "anthropic":
      return [plain];
    case "openai-responses": {
      const filtered = wire
        .frames({ parts: [], finish: "length" })
        .map(({ sse }) => sse.replace("max_output_tokens", "content_filter"));
      return [{ ...plain, at: "filtered", answer: { writes: filtered } }];
    }
    case "google": {
      // The request itself was refused: there is no candidate at all.
      const blocked = 'data: {"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}\n\n';
      return [plain, { ...plain, at: "blocked", answer: { writes: [blocked] } }];
    }
  }
}

/** As servers do that do not stream pieces. */
function onlyCopies(wire: Wire): Try {
  const frames = wire.frames(sample).filter(({ carries }) => !("piece" in carries) || carries.kind === "call");
  return { ...sent(wire, "no pieces", sample), answer: { writes: frames.map(({ sse }) => sse) } };
}

function usageAttack(name: string, change: (n: number) => unknown, usage: Message["usage"]): Case {
  return { name, tries: (wire) => [usageTry(wire, change, usage)] };
}

const counts = /token/i;

function usageTry(wire: Wire, change: (n: number) => unknown, usage: Message["usage"]): Try {
  const writes = wire.frames(sample).map(({ sse }) =>
    sse.replace(/data: (\{.*\})/, (_, json: string) => {
      const value: unknown = JSON.parse(json, (key, field: unknown) =>
        counts.test(key) && typeof field === "number" ? change(field) : field,
      );
      return `data: ${JSON.stringify(value)}`;
    }),
  );
  return { at: "counts", answer: { writes }, expected: { message: { ...messageOf(sample, wire.protocol), usage } } };
}
