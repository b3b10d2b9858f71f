import { expect, test } from "bun:test";
import fc from "fast-check";
import type { DeltaBody } from "../../../src/contract/delta.ts";
import { ChatEvents } from "../../../src/model/chat/chat-events.ts";
import { accumulate, emptyReply, type ReplySnapshot, snapshot } from "../../../src/model/reply/accumulate.ts";
import { ReplyWriter } from "../../../src/model/reply/reply-writer.ts";

const word = fc.constantFrom("", "a", "b", "你", "\n");
const call = fc.record(
  {
    index: fc.nat(2),
    id: fc.constantFrom("c0", "c1", null),
    function: fc.record({ name: fc.constantFrom("read", "grep", null), arguments: word }, { requiredKeys: [] }),
    extra_content: fc.constantFrom(null, { google: { thought_signature: "s" } }),
  },
  { requiredKeys: ["index", "function"] },
);
const content = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.constant([{ type: "text", text: "p" }]) },
);
const mixed = fc.record(
  {
    content,
    reasoning_content: word,
    reasoning: word,
    refusal: fc.constantFrom("", "no", null),
    tool_calls: fc.array(call, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
/** Most servers send one thing at a time. */
const delta = fc.oneof(fc.record({ content: word }), fc.record({ tool_calls: fc.tuple(call) }), mixed);
const chunk = fc.record(
  { choices: fc.array(fc.record({ delta: fc.option(delta) }, { requiredKeys: [] }), { maxLength: 1 }) },
  { requiredKeys: ["choices"] },
);

const bodies: (reply: ReplyWriter, chunks: readonly unknown[], isAtOnce: boolean) => readonly DeltaBody[] = (
  reply,
  chunks,
  isAtOnce,
) => {
  const events = new ChatEvents(reply);
  const found: DeltaBody[] = [];
  for (const one of chunks) {
    expect(events.read(one as Record<string, unknown>)).toBeNull();
    if (!isAtOnce) found.push(...reply.take());
  }
  events.end();
  reply.end();
  return [...found, ...reply.take()];
};

function replyFrom(found: readonly DeltaBody[]): ReplySnapshot {
  const partial = emptyReply("r1", 1, 1);
  for (const [seq, body] of found.entries())
    accumulate(partial, { runId: "r1", modelCallIndex: 1, attempt: 1, seq, ...body });
  return snapshot(partial);
}

test("[MD-7] pieces that are joined because they arrived together tell the same as one by one", () => {
  let joined = 0;
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
      const apart = bodies(new ReplyWriter({ textCalls: null, joins: true }), chunks, false);
      const together = bodies(new ReplyWriter({ textCalls: null, joins: true }), chunks, true);
      joined += apart.length - together.length;
      expect(replyFrom(together)).toEqual(replyFrom(apart));
    }),
    { numRuns: 1_000 },
  );
  expect(joined).toBeGreaterThan(100);
});

test("[MD-7] an ordinary reply with a call that arrives at once is one text and one piece of arguments", () => {
  const of = (said: unknown) => ({ choices: [{ delta: said }] });
  const more = (text: string) => of({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  const chunks = [
    of({ role: "assistant", content: "" }),
    of({ content: "Let me " }),
    of({ content: "look." }),
    of({ tool_calls: [{ index: 0, id: "c", function: { name: "read", arguments: "" } }] }),
    more('{"path":'),
    more('"a"}'),
  ];
  expect(bodies(new ReplyWriter({ textCalls: null, joins: true }), chunks, true)).toEqual([
    { kind: "text", text: "Let me look." },
    { kind: "tool_call_start", ordinal: 0, providerId: "c", tool: "read" },
    { kind: "tool_call_args", ordinal: 0, text: '{"path":"a"}' },
    { kind: "tool_call_end", ordinal: 0 },
  ]);
});

test("[MD-7] a long piece goes on by itself: a person sees text as it comes", () => {
  const reply = new ReplyWriter({ textCalls: null, joins: true });
  for (let n = 0; n < 100; n++) reply.words("text", "x".repeat(1_000));
  const lengths = reply.take().map((body) => (body.kind === "text" ? body.text.length : 0));
  expect(lengths).toEqual([17_000, 17_000, 17_000, 17_000, 17_000, 15_000]);
});

test("[MD-7] nothing more is written once there is more than is kept, and nothing of what was too much", () => {
  const reply = new ReplyWriter({ textCalls: null, joins: false });
  const call = reply.openCall("read", "a");
  reply.args(call, "x".repeat(16 * 2 ** 20));
  reply.words("text", "more", "part");
  expect(reply.take()).toEqual([{ kind: "tool_call_start", ordinal: 0, providerId: "a", tool: "read" }]);
  expect(reply.failure).toEqual({ kind: "too_large", mib: 16 });
});

test("[MD-7] more calls, and more tiny parts, than anybody needs end the reply", () => {
  const calling = new ReplyWriter({ textCalls: null, joins: false });
  for (let n = 0; n <= 1_000; n++) calling.openCall("read", `${n}`);
  const parting = new ReplyWriter({ textCalls: null, joins: false });
  for (let n = 0; n < 2 ** 18; n++) parting.words("text", "x", n);
  expect([calling.failure?.kind, calling.take().length, parting.failure?.kind]).toEqual([
    "unreadable",
    1_000,
    "too_large",
  ]);
});
