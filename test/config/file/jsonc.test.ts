import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Json, parseJsonc } from "../../../src/config/file/jsonc.ts";

function plain(json: Json): unknown {
  if (json.kind === "scalar") return json.value;
  if (json.kind === "array") return json.items.map((item) => plain(item.value));
  return Object.fromEntries(json.entries.map((entry) => [entry.key, plain(entry.value)]));
}

const parse = (text: string): unknown => {
  const parsed = parseJsonc(text);
  return "problem" in parsed ? parsed.problem : plain(parsed.value);
};

test("[CF-1] whatever JSON.stringify writes is read back, indented or not", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test("[CF-1] comments of both kinds, trailing commas and a BOM are accepted", () => {
  const text = '\ufeff// first\n{ /* a */ "a": [1, /* , */ 2,], // b\r\n "http://x": "// no comment", }\n/* end */ ';
  expect(parse(text)).toEqual({ a: [1, 2], "http://x": "// no comment" });
});

test("[CF-2] every key knows its line, behind comments of several lines and wide characters", () => {
  const parsed = parseJsonc('/* 注释\n 第二行 */\n{\n  // 一\n  "a": "中文",\r\n\n  "b":\n    [\n 1,\n 2 ]\n}');
  expect(
    "value" in parsed && parsed.value.kind === "object" && parsed.value.entries.map((e) => [e.key, e.line]),
  ).toEqual([
    ["a", 5],
    ["b", 7],
  ]);
});

const wrong: readonly (readonly [text: string, problem: unknown])[] = [
  ["", { kind: "end", line: 1 }],
  ["// only a comment\n", { kind: "end", line: 2 }],
  ['{\n"a": 1', { kind: "end", line: 2 }],
  ['{"a": 1}\n{', { kind: "unexpected", line: 2, found: "{" }],
  ["{a: 1}", { kind: "unexpected", line: 1, found: "a" }],
  ["{'a': 1}", { kind: "unexpected", line: 1, found: "'" }],
  ['{"a" 1}', { kind: "unexpected", line: 1, found: "1" }],
  ['{"a": 1 "b": 2}', { kind: "unexpected", line: 1, found: '"' }],
  ['{"a": 01}', { kind: "unexpected", line: 1, found: "1" }],
  ['{"a": +1}', { kind: "unexpected", line: 1, found: "+" }],
  ['{"a": nulls}', { kind: "unexpected", line: 1, found: "n" }],
  ['{"a": "\\x"}', { kind: "unexpected", line: 1, found: '"' }],
  ['{"a": "line\nbreak"}', { kind: "unexpected", line: 1, found: '"' }],
  ["[1,,2]", { kind: "unexpected", line: 1, found: "," }],
  ["{,}", { kind: "unexpected", line: 1, found: "," }],
  ["/* never ends", { kind: "unexpected", line: 1, found: "/" }],
  ["{\n中: 1}", { kind: "unexpected", line: 2, found: "中" }],
  ["{\n😀: 1}", { kind: "unexpected", line: 2, found: "😀" }],
  ['{"a": 1,\n"a": 2}', { kind: "duplicate", line: 2, key: "a" }],
];

test.each(wrong)("[CF-2] %p is refused with the line of the fault", (text, problem) => {
  expect(parse(text)).toEqual(problem);
});

test("a file nested without end is refused, not a crash", () => {
  expect([parse("[".repeat(100_000)), parse(`${'{"a":'.repeat(100)}1`)]).toEqual([
    { kind: "deep", line: 1 },
    { kind: "deep", line: 1 },
  ]);
});
