import { expect, test } from "bun:test";
import { unfold } from "../../../src/policy/secret/fold.ts";
import { mergeSecrets, type Secret, withoutSpans } from "../../../src/policy/secret/span.ts";

const at = (from: number, to: number, kind = "a"): Secret => ({ kind, from, to });

test.each<[readonly Secret[], readonly Secret[]]>([
  [[], []],
  [
    [at(5, 9), at(1, 3)],
    [at(1, 3), at(5, 9)],
  ],
  [[at(1, 5, "first"), at(1, 5, "second")], [at(1, 5, "first")]],
  [[at(1, 5, "short"), at(1, 9, "long")], [at(1, 9, "long")]],
  [[at(1, 5), at(3, 9, "b")], [at(1, 9)]],
  [[at(1, 9), at(3, 5, "b")], [at(1, 9)]],
  [
    [at(1, 5), at(5, 9, "b")],
    [at(1, 5), at(5, 9, "b")],
  ],
  [[at(1, 3), at(2, 5), at(4, 8)], [at(1, 8)]],
])("the secrets %j become %j", (found, merged) => {
  expect(mergeSecrets(found)).toEqual(merged);
});

test.each<[readonly Secret[], readonly [number, number][], readonly Secret[]]>([
  [[at(1, 5)], [], [at(1, 5)]],
  [[at(1, 5)], [[1, 5]], []],
  [[at(1, 5)], [[0, 9]], []],
  [[at(1, 9)], [[3, 5]], [at(1, 3), at(5, 9)]],
  [
    [at(1, 9)],
    [
      [0, 2],
      [4, 5],
      [8, 12],
    ],
    [at(2, 4), at(5, 8)],
  ],
  [[at(1, 3), at(6, 9)], [[3, 6]], [at(1, 3), at(6, 9)]],
  [[at(1, 3), at(5, 7), at(8, 9)], [[2, 6]], [at(1, 2), at(6, 7), at(8, 9)]],
  [
    [at(4, 6)],
    [
      [0, 1],
      [2, 3],
      [5, 6],
    ],
    [at(4, 5)],
  ],
])("of %j without %j is left %j", (secrets, spans, left) => {
  expect(
    withoutSpans(
      secrets,
      spans.map(([from, to]) => ({ from, to })),
    ),
  ).toEqual(left);
});

test.each([
  ["plain", "plain"],
  ["a\u001b[31mb\u001b[0mc", "abc"],
  ["\u001b[1;38;5;200mabc", "abc"],
  ["a\\u001b[1mb\\x1b[0mc\\033[md\\e[1me", "abcde"],
  ["a\\\\u001b[1mb", "ab"],
  ["ab\\\n  cd\\\r\nef", "abcdef"],
  ["ab\\\n12\t  cd", "abcd"],
  ["\u001b[0m", ""],
  ["a\\nb \\ c", "a\\nb \\ c"],
])("%j unfolded is %j, and every part of it is found again where it stood", (text, plain) => {
  const unfolded = unfold(text);
  expect(unfolded.text).toBe(plain);
  const places = [...plain].map((_, i) => unfolded.origin({ from: i, to: i + 1 }));
  expect(places.map(({ from, to }) => text.slice(from, to)).join("")).toBe(plain);
  const ends = places.slice(1).map((place, i) => place.from >= (places[i]?.to ?? 0));
  expect(ends).toEqual(ends.map(() => true));
});

test("a span over a fold holds it, and one beside it does not", () => {
  const { origin } = unfold("ab\u001b[1mcd\u001b[0m");
  expect([origin({ from: 0, to: 2 }), origin({ from: 1, to: 3 }), origin({ from: 2, to: 4 })]).toEqual([
    { from: 0, to: 2 },
    { from: 1, to: 7 },
    { from: 6, to: 8 },
  ]);
});
