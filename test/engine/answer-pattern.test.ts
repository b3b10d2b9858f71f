import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compilePattern } from "../../src/engine/structured-output/pattern.ts";

function found(source: string, text: string): boolean | string {
  const compiled = compilePattern(source);
  return "problem" in compiled ? compiled.problem : compiled.test(text);
}

const atom = fc.constantFrom(
  ...[
    "a",
    "b",
    "ab",
    "é",
    "😀",
    ".",
    "\\d",
    "\\w",
    "\\S",
    "[ab]",
    "[^a]",
    "[a-c\\d]",
    "[\\]a-]",
    "\\p{L}",
    "\\s",
    "[\\s-]",
    "\\u0061",
  ],
  ...["\\.", "\\/", "\\u{1F600}", "\\ud83d\\ude00", "\\b", "\\B", "^", "$", "\\n", "\\x62", "\\t"],
  ...[
    "[^\\S\\n]",
    "[x[]",
    "[[:alpha:][\\]]",
    "[\\b]",
    "[]",
    "[^]",
    "\\p{Script=Greek}",
    "[\\ud83d\\ude00]",
    "[.]",
    "\\cJ",
  ],
);
const mark = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?", "{1,3}?");
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
  part: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(atom, mark).map(([one, many]) => (/^(?:\\[bB]|[\^$]|ab)$/.test(one) ? one : one + many)),
    fc
      .tuple(fc.constantFrom("(", "(?:", "(?<n>"), fc.array(tie("pattern"), { minLength: 1, maxLength: 3 }), mark)
      .map(([open, parts, many]) => `${open}${parts.join("|")})${many}`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom(
    "a",
    "b",
    "c",
    "1",
    "-",
    " ",
    "\n",
    "é",
    "😀",
    ".",
    "/",
    "\u00a0",
    "\u2028",
    "\b",
    "[",
    "]",
    "α",
  ),
  maxLength: 12,
});

describe("patterns of a schema", () => {
  test("[CLI-2] a pattern is found exactly where the runtime finds it", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        // Two groups of one name are a mistake, for the runtime too.
        fc.pre(source.split("(?<n>").length <= 2);
        expect([source, subject, found(source, subject)]).toEqual([
          source,
          subject,
          new RegExp(source, "u").test(subject),
        ]);
      }),
      { numRuns: process.env.CODER_TEST_LONG ? 50_000 : 3_000 },
    );
  }, 120_000);

  test("[CLI-2] a pattern that would keep the runtime busy for years comes to an end", () => {
    const long = 1_000_000;
    expect(found("^(a+)+$", `${"a".repeat(long)}!`)).toBe(false);
    expect(found("^(a|a)*$", `${"a".repeat(long)}!`)).toBe(false);
    expect(found("(.*)(.*)(.*)(.*)x$", "y".repeat(long))).toBe(false);
    expect(found("(a?){500}a{500}$", "a".repeat(100_000))).toBe(true);
  });

  const refused: readonly (readonly [source: string, says: string])[] = [
    ["(a)\\1", "references back"],
    ["(?<n>a)\\k<n>", "references back"],
    ["(?=a)b", "looking ahead or behind"],
    ["(?<!a)b", "looking ahead or behind"],
    ["(?<=a)b", "looking ahead or behind"],
    ["(a{1000}){1000}", "invalid repeat count"],
    ["a{99999}", "invalid repeat count"],
    ["a".repeat(3_000), "longer than 2000"],
    ["[", "Invalid regular expression"],
    ["a**", "Invalid regular expression"],
  ];
  for (const [source, says] of refused) {
    test(`[CLI-2] refused in words: ${source.slice(0, 30)}`, () => expect(String(found(source, ""))).toContain(says));
  }
});
