import { expect, test } from "bun:test";
import fc from "fast-check";
import { ArgumentsEnd } from "../../../src/model/chat/arguments-end.ts";

test("arguments are whole with their last bracket and not before, in whatever pieces they come and whenever it is asked", () => {
  const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 5 }), (given, size, often) => {
      const text = JSON.stringify(given);
      const end = new ArgumentsEnd();
      for (let at = 0; at < text.length; at += size) {
        if (at % often === 0) expect(end.isReached).toBe(false);
        end.push(text.slice(at, at + size));
      }
      expect(end.isReached).toBe(true);
    }),
    { numRuns: 500 },
  );
});
