import { expect, test } from "bun:test";
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { WireHistory } from "../../../src/model/request/growing-body.ts";

const convert = (prompt: readonly unknown[]): readonly unknown[] => prompt;
const text = (
  history: WireHistory,
  messages: readonly LanguageModelV4Message[],
  system = "sys",
  head = '{"m":[',
  tail = "]}",
): string => new TextDecoder().decode(history.body(head, system, messages, tail));

const user = (words: string): LanguageModelV4Message => ({ role: "user", content: [{ type: "text", text: words }] });

test("[CX-1] a request that continues the last one has its bytes as a prefix, up to the tail", () => {
  const history = new WireHistory(convert);
  const list = [user("one")];
  const first = text(history, list);
  const second = text(history, [...list, user("two")]);
  expect(second.startsWith(first.slice(0, -2))).toBe(true);
  expect(JSON.parse(second).m.length).toBe(3);
});

test("every request equals one made from nothing, whatever was sent before: longer, shorter, changed, other system text", () => {
  const messages = fc.array(fc.string({ unit: "binary", maxLength: 40 }).map(user), { maxLength: 8 });
  const round = fc.record({
    keep: fc.nat(8),
    more: messages,
    system: fc.constantFrom("", "sys", "其他"),
    tail: fc.constantFrom("]}", '],"x":"é"}'),
  });
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 12 }), (rounds) => {
      const history = new WireHistory(convert);
      let list: readonly LanguageModelV4Message[] = [];
      for (const { keep, more, system, tail } of rounds) {
        list = [...list.slice(0, keep), ...more];
        expect(text(history, list, system, '{"m":[', tail)).toBe(
          text(new WireHistory(convert), list, system, '{"m":[', tail),
        );
        expect(JSON.parse(text(history, list, system)).m.length).toBe(list.length + (system === "" ? 0 : 1));
      }
    }),
    { numRuns: 300 },
  );
});
