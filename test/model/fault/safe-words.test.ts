import { expect, test } from "bun:test";
import fc from "fast-check";
import { safeWords } from "../../../src/model/fault/safe-words.ts";
import { growsEvenly } from "../../support/cpu.ts";

const hidden: readonly (readonly [text: string, shown: string])[] = [
  ["Incorrect API key provided: sk-proj-ab12****wxyz. See docs.", "Incorrect API key provided: [redacted] See docs."],
  ["got Authorization: Bearer abc.def-ghi", "got [redacted]"],
  ["header 'Bearer abcdefgh' was refused", "header '[redacted]' was refused"],
  ['{"api_key": "0123456789abcdef"}', '{"[redacted]"}'],
  ["x-api-key=zzz9, next", "[redacted], next"],
  ["key AIzaSyA1234567890bcdef and gsk_12345678", "key [redacted] and [redacted]"],
  ["token eyJhbGciOi.eyJzdWIiOi.c2ln ended", "[redacted] ended"],
  ["my configured pass-word-9", "my configured [redacted]"],
];
for (const [text, shown] of hidden) {
  test(`[ER-2] nothing that looks like a key is shown: ${text}`, () => {
    expect(safeWords(text, ["pass-word-9"])).toBe(shown);
  });
}

test("an ordinary sentence is shown as it is", () => {
  const text = "The model `gpt-5-tiny` does not exist (risk-averse tokens: 12, max_tokens=4096).";
  expect(safeWords(text, ["", "abc"])).toBe(text);
});

test("[ER-2] any text becomes one bounded line without control characters, half characters or the secret", () => {
  const secret = "s3cr3t-value";
  const noise = fc.array(
    fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.constant(secret), fc.constant("\u001b[2J")),
  );
  fc.assert(
    fc.property(noise, (parts) => {
      const shown = safeWords(parts.join(" "), [secret]);
      expect(shown).not.toContain(secret);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(301);
    }),
  );
});

test("half a character is replaced", () => {
  expect(safeWords("a\ud83db", [])).toBe("a\ufffdb");
});

test("a text is not cut between the halves of a character", () => {
  expect([`${"😀".repeat(200)}`, `a${"😀".repeat(200)}`].map((text) => safeWords(text, []))).toEqual([
    `${"😀".repeat(150)}…`,
    `a${"😀".repeat(149)}…`,
  ]);
});

test("what a megabyte costs grows with its length", async () => {
  for (const piece of ["a ", "sk-", "bearer ", "key: ", "eyJaaaaaaaa.", "\u0000"])
    expect([piece, await growsEvenly((scale) => safeWords(piece.repeat(2 ** 15 * scale), ["zzzz"]))]).toEqual([
      piece,
      true,
    ]);
});
