import { expect, test } from "bun:test";
import { ReplyWriter } from "../../../src/model/reply/reply-writer.ts";

test("[MD-1] what arrives together is handed on together, and what is told apart stays apart", () => {
  const reply = new ReplyWriter({ textCalls: null, joins: true });
  for (const text of ["Let me ", "look."]) reply.words("text", text);
  const call = reply.openCall("read", "c");
  for (const text of ['{"path":', '"a"}']) reply.args(call, text);
  reply.closeCall(call, "");
  expect(reply.take()).toEqual([
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
