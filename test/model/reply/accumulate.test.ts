import { expect, test } from "bun:test";
import fc from "fast-check";
import type { DeltaBody, MessageDelta } from "../../../src/contract/delta.ts";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import { accumulate, emptyReply, type ReplySnapshot, snapshot } from "../../../src/model/reply/accumulate.ts";

const place = { runId: "r1", modelCallIndex: 3, attempt: 2 };
const empty: ReplySnapshot = {
  text: "",
  thinking: "",
  calls: [],
  usage: null,
  finish: null,
  failure: null,
  ended: false,
};

function framed(bodies: readonly DeltaBody[]): MessageDelta[] {
  return bodies.map((body, seq) => ({ ...place, seq, ...body }));
}

function fold(deltas: readonly MessageDelta[]): ReplySnapshot {
  const reply = emptyReply("r1", 3, 2);
  for (const delta of deltas) accumulate(reply, delta);
  return snapshot(reply);
}

const whole: readonly DeltaBody[] = [
  { kind: "start" },
  { kind: "thinking", text: "hm" },
  { kind: "text", text: "I " },
  { kind: "text", text: "read." },
  { kind: "tool_call_start", ordinal: 0, providerId: "a", tool: "read" },
  { kind: "tool_call_start", ordinal: 1, providerId: "a", tool: "list" },
  { kind: "tool_call_args", ordinal: 1, text: "{}" },
  { kind: "tool_call_args", ordinal: 0, text: '{"path":' },
  { kind: "tool_call_args", ordinal: 0, text: '"x"}' },
  { kind: "tool_call_end", ordinal: 0 },
  { kind: "tool_call_end", ordinal: 1 },
  { kind: "usage", usage: { input: 7, output: 3, cachedInput: 2, reasoning: 1 } },
  { kind: "done", finish: "tool_calls" },
];

const wholeReply: ReplySnapshot = {
  text: "I read.",
  thinking: "hm",
  parts: [
    { kind: "thinking", length: 2 },
    { kind: "text", length: 7 },
    { kind: "call", ordinal: 0 },
    { kind: "call", ordinal: 1 },
  ],
  calls: [
    { ordinal: 0, providerId: "a", tool: "read", args: '{"path":"x"}' },
    { ordinal: 1, providerId: "a", tool: "list", args: "{}" },
  ],
  usage: { input: 7, output: 3, cachedInput: 2, reasoning: 1 },
  finish: "tool_calls",
  failure: null,
  ended: true,
};

test("[MD-2] deltas accumulate into one reply, calls apart even with the same provider id", () => {
  expect(fold(framed(whole))).toEqual(wholeReply);
});

test("[MD-2] a snapshot is available before the end and does not change afterwards", () => {
  const reply = emptyReply("r1", 3, 2);
  expect(snapshot(reply)).toEqual(empty);
  const deltas = framed(whole);
  for (const delta of deltas.slice(0, 7)) accumulate(reply, delta);
  const early = snapshot(reply);
  for (const delta of deltas.slice(7)) accumulate(reply, delta);
  expect(early).toEqual({
    ...empty,
    thinking: "hm",
    text: "I read.",
    ...(wholeReply.parts ? { parts: wholeReply.parts } : {}),
    calls: [
      { ordinal: 0, providerId: "a", tool: "read", args: "" },
      { ordinal: 1, providerId: "a", tool: "list", args: "{}" },
    ],
  });
  expect(snapshot(reply)).toEqual(wholeReply);
});

test("[MD-2] repeated deltas and deltas of another run, index or attempt change nothing", () => {
  const clean = framed(whole);
  const foreign: readonly Partial<MessageDelta>[] = [{ runId: "r2" }, { modelCallIndex: 4 }, { attempt: 1 }];
  fc.assert(
    fc.property(
      fc.array(fc.record({ after: fc.nat(clean.length - 1), of: fc.nat(clean.length - 1), how: fc.nat(3) })),
      (noise) => {
        const mixed = clean.flatMap((delta, at) => [
          delta,
          ...noise
            .filter(({ after }) => after === at)
            .map(({ of, how }) => {
              const other = foreign[how];
              // Seen before, or new but of someone else.
              return other ? ({ ...clean[of]!, seq: 1_000, ...other } as MessageDelta) : clean[Math.min(of, at)]!;
            }),
        ]);
        expect(fold(mixed)).toEqual(wholeReply);
      },
    ),
  );
});

test("[MD-1] nothing counts after the end", () => {
  const error = { code: "E_MODEL" as const, text: phrase("model.cancelled", { provider: "p", host: "h" }) };
  const late = framed([
    { kind: "start" },
    { kind: "text", text: "half" },
    { kind: "error", error, fault: { kind: "connection", retryAfterMs: null } },
    { kind: "text", text: " late" },
    { kind: "done", finish: "stop" },
  ]);
  const failure = { error, fault: { kind: "connection" as const, retryAfterMs: null } };
  expect(fold(late)).toEqual({ ...empty, text: "half", failure, ended: true });
});

test("arguments of a call that never started, and a second start of a call, are dropped", () => {
  const deltas = framed([
    { kind: "start" },
    { kind: "tool_call_args", ordinal: 0, text: "lost" },
    { kind: "tool_call_start", ordinal: 0, providerId: null, tool: "read" },
    { kind: "tool_call_args", ordinal: 0, text: "{}" },
    { kind: "tool_call_start", ordinal: 0, providerId: "b", tool: "write" },
  ]);
  expect(fold(deltas)).toEqual({ ...empty, calls: [{ ordinal: 0, providerId: null, tool: "read", args: "{}" }] });
});

test("[MD-1] parts keep their order, their neighbours apart and what goes back with them, without their text", () => {
  const signed = (signature: string) => ({ anthropic: { signature } });
  const reply = fold(
    framed([
      { kind: "start" },
      { kind: "thinking", text: "on", block: 0 },
      { kind: "thinking", text: "e", block: 0 },
      { kind: "thinking", text: "", block: 0, meta: signed("s1") },
      { kind: "thinking", text: "", block: 1, meta: { anthropic: { redactedData: "xx" } } },
      { kind: "text", text: "two", block: 2 },
      { kind: "text", text: "three", block: 3, meta: { google: { thoughtSignature: "g" } } },
      { kind: "tool_call_start", ordinal: 0, providerId: null, tool: "read" },
      { kind: "thinking", text: "four", block: 4 },
      { kind: "tool_call_end", ordinal: 0, meta: { google: { thoughtSignature: "c" } } },
      // Late, for a part that is no longer the newest.
      { kind: "thinking", text: "", block: 0, meta: { anthropic: { more: 1 } } },
      { kind: "done", finish: "tool_calls" },
    ]),
  );
  expect({ text: reply.text, thinking: reply.thinking, parts: reply.parts }).toEqual({
    text: "twothree",
    thinking: "onefour",
    parts: [
      { kind: "thinking", length: 3, meta: { anthropic: { signature: "s1", more: 1 } } },
      { kind: "thinking", length: 0, meta: { anthropic: { redactedData: "xx" } } },
      { kind: "text", length: 3 },
      { kind: "text", length: 5, meta: { google: { thoughtSignature: "g" } } },
      { kind: "call", ordinal: 0, meta: { google: { thoughtSignature: "c" } } },
      { kind: "thinking", length: 4 },
    ],
  });
});

test("[MD-1] a text and then calls need no parts, in whatever pieces they came", () => {
  const reply = fold(
    framed([
      { kind: "start" },
      { kind: "text", text: "a", block: 0 },
      { kind: "text", text: "b", block: 0 },
      { kind: "tool_call_start", ordinal: 0, providerId: null, tool: "read" },
      { kind: "tool_call_end", ordinal: 0 },
      { kind: "done", finish: "tool_calls" },
    ]),
  );
  expect("parts" in reply).toBe(false);
});

const blocks = fc.array(
  fc.record({
    kind: fc.constantFrom("text", "thinking"),
    block: fc.option(fc.nat(3), { nil: undefined }),
    text: fc.string({ maxLength: 4 }),
    meta: fc.option(fc.constant({ p: { s: "1" } }), { nil: undefined }),
  }),
);

test("[MD-1] the lengths of the parts always add up to text and thinking", () => {
  fc.assert(
    fc.property(blocks, (list) => {
      const bodies = list.map(({ kind, block, text, meta }): DeltaBody => {
        const more = { ...(block === undefined ? {} : { block }), ...(meta === undefined ? {} : { meta }) };
        return kind === "text" ? { kind, text, ...more } : { kind: "thinking", text, ...more };
      });
      const { text, thinking, parts } = fold(framed([{ kind: "start" }, ...bodies]));
      const sum = (kind: string) =>
        (parts ?? []).reduce((n, part) => n + (part.kind === kind && "length" in part ? part.length : 0), 0);
      expect(parts === undefined ? thinking.length : sum("thinking")).toBe(thinking.length);
      expect(parts === undefined ? text.length : sum("text")).toBe(text.length);
    }),
    { numRuns: 500 },
  );
});
