import { expect, test } from "bun:test";
import fc from "fast-check";
import { fail, ok } from "../../../src/contract/error.ts";
import { parseArguments } from "../../../src/model/reply/arguments.ts";
import { growsEvenly } from "../../support/cpu.ts";

test("any JSON value is read as it is, with white space around it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseArguments("t", `\n ${text}\t`)).toEqual(ok(JSON.parse(text)));
    }),
  );
});

const repaired: readonly (readonly [what: string, text: string, value: unknown])[] = [
  ["nothing", "", {}],
  ["only white space", " \n", {}],
  ["a trailing comma in an object", '{"a": 1, }', { a: 1 }],
  ["trailing commas in lists inside objects", '{"a": [1, 2,\n], "b": [[3,],],}', { a: [1, 2], b: [[3]] }],
  ["a code fence", '```json\n{"a": 1}\n```', { a: 1 }],
  ["a code fence without a language, and a trailing comma", '```\n{"a": "```",}\n```', { a: "```" }],
];
for (const [what, text, value] of repaired) {
  test(`[MD-6] repaired: ${what}`, () => {
    expect(parseArguments("t", text)).toEqual(ok(value));
  });
}

test("[MD-6] commas and brackets inside strings survive the repair", () => {
  const value = { text: ',] ,} \\",]', list: ["a,]", 'q",}'] };
  const text = `${JSON.stringify(value).slice(0, -1)},}`;
  expect(parseArguments("t", text)).toEqual(ok(value));
});

const refused = [
  '{"a": 1',
  '{"a": "x',
  "{'a': 1}",
  "{a: 1}",
  '{"a": 1,,}',
  "[,]",
  "read the file",
  '{"a":1}{"b":2}',
  "```json\n```",
  '{"a":"x\\',
];
for (const text of refused) {
  test(`[MD-6] not guessed at: ${text.replaceAll("\n", "\\n")}`, () => {
    expect(parseArguments("write", text)).toEqual(
      fail("E_INVALID_ARGS", { key: "run.bad_json", args: { tool: "write", problem: expect.any(String) } }),
    );
  });
}

test("a megabyte of arguments that was cut off inside a string is refused, without quadratic work", async () => {
  const cutOff = (scale: number) => parseArguments("t", `{"text": "${'\\"a, '.repeat(31_250 * scale)}`);
  expect(cutOff(8).ok).toBe(false);
  expect(await growsEvenly(cutOff)).toBe(true);
});

test("nesting deeper than the parser's stack is refused, not thrown", () => {
  expect(parseArguments("t", "[".repeat(100_000)).ok).toBe(false);
});
