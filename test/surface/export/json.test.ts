import { expect, test } from "bun:test";
import fc from "fast-check";
import { render } from "../../../src/surface/export/render.ts";
import { allWords, head, taskLog } from "./log.ts";

const exported = (text: string, events = head.events): string => {
  const log = taskLog(allWords(text));
  return [...render("json", { head: { ...head, events }, log, imageBytes: () => null }, "en")].join("");
};

test("[PS-5] the JSON form is the documented one: version, session, messages, every event", () => {
  const log = taskLog(allWords("word"));
  const usage = { input: 120, output: 9, cachedInput: 100, reasoning: 1 };
  const { timezone: _, createdAt, updatedAt, ...row } = head;
  const at = (seq: number): { seq: number; at: number } => ({ seq, at: 999 + seq });
  expect(JSON.parse(exported("word"))).toEqual({
    v: 1,
    session: { ...row, created_at: createdAt, updated_at: updatedAt },
    messages: [
      { ...at(3), role: "user", text: "word" },
      {
        ...{ ...at(5), role: "assistant", text: "word", thinking: "word", usage },
        calls: [{ id: "r1/1/0", tool: "word", input: allWords("word").argument }],
      },
      { ...at(8), role: "tool", call: "r1/1/0", tool: "word", status: "failed", text: "word", ms: 5, images: [] },
      { ...at(10), role: "user", text: "word" },
    ],
    events: JSON.parse(JSON.stringify(log)),
  });
});

test("[PS-5] any text comes back the same, and the file is valid UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const bytes = new TextEncoder().encode(exported(text));
      const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      expect(value.messages[0].text).toBe(text);
      expect(value.events[1].event.text).toBe(text);
    }),
  );
  expect(JSON.parse(exported("half \ud83d")).messages[0].text).toBe("half \ud83d");
});

test("[PS-5] events that another process adds meanwhile are left out of all parts alike", () => {
  const value = JSON.parse(exported("word", 5));
  expect(value.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
  expect(value.events.length).toBe(5);
});
