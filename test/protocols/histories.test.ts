import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { ModelPort } from "../../src/contract/delta.ts";
import type { ModelMessage, PartMeta, ReplyPart } from "../../src/contract/message.ts";
import { openModel } from "../../src/model/open.ts";
import { choiceAt, deltasOf, requestOf } from "../support/model-calls.ts";
import { startAttackServer } from "../support/wire/attack-server.ts";
import { type Wire, wires } from "../support/wire/protocols.ts";
import { requestProblem } from "../support/wire/strict.ts";

const server = await startAttackServer(() => ({ writes: [] }));
afterAll(() => server[Symbol.asyncDispose]());

type AssistantMessage = Extract<ModelMessage, { readonly role: "assistant" }>;

const isLong = process.env.CODER_TEST_LONG === "1";
const text = fc.constantFrom("", " ", "\n", "words", "half \ud83d", "\u0000", "世界");
/** What models make up: names of other agents' tools, with dots, spaces, nothing at all. */
const tool = fc.constantFrom(
  "read",
  "functions.read",
  "",
  " ",
  "a b",
  "读",
  "-x",
  "1st",
  "x".repeat(500),
  "__proto__",
  "constructor",
);
const input = fc.constantFrom<unknown>({ path: "a" }, {}, [], [1, 2], "text", null, 7, JSON.parse('{"__proto__":1}'));
const meta: PartMeta = {
  anthropic: { signature: "c2ln" },
  openai: { itemId: "rs_1", reasoningEncryptedContent: "ZW5j" },
  google: { thoughtSignature: "c2ln" },
};

/** A step, what the person said meanwhile, and the results that were recorded, in any order. */
const step: fc.Arbitrary<readonly ModelMessage[]> = fc
  .record({
    text,
    thinking: text,
    calls: fc.array(fc.record({ tool, input }), { maxLength: 3 }),
    by: fc.constantFrom(undefined, "local/tiny", "other/model"),
    isSigned: fc.boolean(),
    between: fc.array(text, { maxLength: 1 }),
    kept: fc.integer({ min: 0, max: 7 }),
    isReversed: fc.boolean(),
  })
  .map((one) => {
    const calls = one.calls.map((call, at) => ({ id: `step/${at}:`, ...call }));
    const parts = partsOf(one.text, one.thinking, calls.length, one.isSigned);
    const own = one.by === undefined ? {} : { thinking: one.thinking, parts, by: one.by };
    const said: AssistantMessage = { role: "assistant", text: one.text, ...own, calls };
    const results = calls
      .filter((_, at) => (one.kept >> at) % 2 === 1)
      .map(({ id, tool: name }): ModelMessage => ({ role: "tool", id, tool: name, text: one.text }));
    const steering = one.between.map((words): ModelMessage => ({ role: "user", text: words }));
    return [said, ...steering, ...(one.isReversed ? results.reverse() : results)];
  });

function partsOf(words: string, thinking: string, calls: number, isSigned: boolean): readonly ReplyPart[] {
  const signed = isSigned ? { meta } : {};
  return [
    { kind: "thinking", length: thinking.length, ...signed },
    { kind: "text", length: words.length },
    ...Array.from({ length: calls }, (_, ordinal): ReplyPart => ({ kind: "call", ordinal, ...signed })),
  ];
}

const person = text.map((words): readonly ModelMessage[] => [{ role: "user", text: words }]);
const histories = fc.array(fc.oneof(person, step, step), { maxLength: 8 }).map((turns) => turns.flatMap(numbered));

/** Ids as the engine gives them: used once. */
function numbered(turn: readonly ModelMessage[], at: number): readonly ModelMessage[] {
  const own = (id: string): string => `${at}${id}`;
  return turn.map((message) => {
    if (message.role === "tool") return { ...message, id: own(message.id) };
    if (message.role === "user") return message;
    return { ...message, calls: message.calls.map((call) => ({ ...call, id: own(call.id) })) };
  });
}

async function problemWith(port: ModelPort, wire: Wire, messages: readonly ModelMessage[]): Promise<string | null> {
  server.requests.length = 0;
  server.answer = () => ({ writes: wire.frames({ parts: [{ kind: "text", text: "ok" }] }).map(({ sse }) => sse) });
  await deltasOf(port, requestOf({ messages }));
  return requestProblem(wire.protocol, server.requests[0]?.body);
}

for (const wire of wires) {
  test(`[TP-4] over ${wire.protocol}, whatever the history holds, and whoever wrote it, a strict provider takes it`, async () => {
    // Chat leaves the order to whoever sends; the strict servers among those that speak it do not.
    const quirks =
      wire.protocol === "openai-chat" ? { quirks: { roles: "strict", reasoningBack: "always" } as const } : {};
    const port = await openModel(choiceAt(server.url, { protocol: wire.protocol, ...quirks }), { idleMs: 10_000 });
    await fc.assert(
      fc.asyncProperty(histories, async (messages) => {
        expect(await problemWith(port, wire, messages)).toBeNull();
      }),
      { numRuns: isLong ? 2_000 : 150 },
    );
  }, 120_000);
}
