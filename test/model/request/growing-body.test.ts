import { expect, test } from "bun:test";
import fc from "fast-check";
import { GrowingBody } from "../../../src/model/request/growing-body.ts";

const head = (system: string): string => `{"m":[${system === "" ? "" : JSON.stringify({ role: "system", system })}`;
const text = (body: GrowingBody, messages: readonly object[], system = "sys", tail = "]}"): string =>
  new TextDecoder().decode(body.of(head(system), messages, tail));

const user = (words: string): object => ({ role: "user", content: words });

test("[CX-1] a request that continues the last one has its bytes as a prefix, up to the tail", () => {
  const body = new GrowingBody();
  const list = [user("one")];
  const first = text(body, list);
  const second = text(body, [...list, user("two")]);
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
      const body = new GrowingBody();
      let list: readonly object[] = [];
      for (const { keep, more, system, tail } of rounds) {
        list = [...list.slice(0, keep), ...more];
        expect(text(body, list, system, tail)).toBe(text(new GrowingBody(), list, system, tail));
        expect(JSON.parse(text(body, list, system)).m.length).toBe(list.length + (system === "" ? 0 : 1));
      }
    }),
    { numRuns: 300 },
  );
});
