import { expect, test } from "bun:test";
import { buildMessages } from "../../src/context/build.ts";
import type { Event } from "../../src/contract/event.ts";
import type { AssistantReply } from "../../src/contract/message.ts";
import { HistoryFold } from "../../src/machine/history/history.ts";

const usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };
const plain: AssistantReply = { text: "Seen.", thinking: "Look.", calls: [], usage, finish: "stop" };

function built(reply: AssistantReply): ReturnType<typeof buildMessages> {
  const history = new HistoryFold();
  history.apply({ v: 1, at: 0, type: "model.replied", runId: "r1", index: 1, attempt: 1, reply } as Event);
  return buildMessages(history, { pruneBefore: 0, trimBefore: 0 });
}

test("[CX-1] a reply with parts is put before the model with them, one without as it always was", () => {
  const parts = [
    { kind: "thinking", length: 5, meta: { anthropic: { signature: "s" } } },
    { kind: "text", length: 5 },
  ] as const;
  expect([built({ ...plain, parts, by: "a/b" }).messages, built(plain).messages]).toEqual([
    [{ role: "assistant", text: "Seen.", thinking: "Look.", parts, by: "a/b", calls: [] }],
    [{ role: "assistant", text: "Seen.", calls: [] }],
  ]);
});

test("[CX-5] thinking counts where it goes back signed", () => {
  const long = "x".repeat(400);
  const of = (meta: object) =>
    built({ ...plain, thinking: long, parts: [{ kind: "thinking", length: 400, ...meta }], by: "a/b" }).tokens;
  expect(of({ meta: { anthropic: { signature: "s" } } }) - of({})).toBe(100);
});
