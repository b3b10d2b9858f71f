import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ModelMessage } from "../../../src/contract/message.ts";
import { straightened } from "../../../src/model/request/straight-history.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });
const calls = (...ids: readonly string[]) => ids.map((id) => ({ id, tool: "read", input: {} }));
const says = (text: string, ...ids: readonly string[]): ModelMessage => ({
  role: "assistant",
  text,
  calls: calls(...ids),
});
const result = (id: string, text = `result ${id}`): ModelMessage => ({ role: "tool", id, tool: "read", text });
const unrecorded = (id: string) => result(id, "(no result was recorded)");

const cases: readonly (readonly [name: string, given: readonly ModelMessage[], wanted: readonly ModelMessage[]])[] = [
  [
    "a sound history stays as it is",
    [user("a"), says("b", "1"), result("1")],
    [user("a"), says("b", "1"), result("1")],
  ],
  [
    "results follow their calls, whatever was said between",
    [user("a"), says("", "1", "2"), user("steer"), result("2"), user("note"), result("1")],
    [user("a"), says("", "1", "2"), result("1"), result("2"), user("steer"), user("note")],
  ],
  [
    "a call without a result gets one",
    [user("a"), says("", "1", "2"), result("1"), user("b")],
    [user("a"), says("", "1", "2"), result("1"), unrecorded("2"), user("b")],
  ],
  [
    "a result of nothing is left out",
    [user("a"), result("9"), says("b"), user("c")],
    [user("a"), says("b"), user("c")],
  ],
  [
    "of two results of one call the first counts",
    [user("a"), says("", "1"), result("1"), result("1", "again")],
    [user("a"), says("", "1"), result("1")],
  ],
  ["a reply that says nothing is left out", [user("a"), says(" \n"), user("b")], [user("a"), user("b")]],
  [
    "a history that was cut in front begins with the person",
    [says("b", "1"), result("1"), user("c")],
    [user("[coder] Earlier messages were left out."), says("b", "1"), result("1"), user("c")],
  ],
  ["the person has the last word", [user("a"), says("b ")], [user("a"), says("b "), user("Continue.")]],
  [
    "an empty message of the person says so",
    [user(" "), says("b"), user("c")],
    [user("(empty)"), says("b"), user("c")],
  ],
  ["nothing at all is still a question", [], [user("[coder] Earlier messages were left out.")]],
];
test.each(cases)("[TP-4] %s", (_, given, wanted) => {
  expect(straightened(given)).toEqual(wanted);
});

const anyMessage: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.constantFrom("a", " ", "").map(user),
  fc
    .tuple(fc.constantFrom("b", ""), fc.uniqueArray(fc.constantFrom("1", "2", "3")))
    .map(([text, ids]) => says(text, ...ids)),
  fc.constantFrom("1", "2", "3").map((id) => result(id)),
);

test("[TP-4] whatever history comes in, a strict provider accepts what goes out, and straightening it again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 12 }), (messages) => {
      const straight = straightened(messages);
      expect([straight[0]?.role, straight.at(-1)?.role === "assistant"]).toEqual(["user", false]);
      let open: readonly string[] = [];
      for (const message of straight) {
        if (message.role === "tool") expect(message.id).toBe(open[0]!);
        else expect(open).toEqual([]);
        open = message.role === "assistant" ? message.calls.map(({ id }) => id) : open.slice(1);
        expect(message.role === "user" ? message.text.trim() : "x").not.toBe("");
      }
      expect(open).toEqual([]);
      expect(straightened(straight)).toEqual(straight);
    }),
    { numRuns: 1_000 },
  );
});
