import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { withItem, withoutValue, withValue } from "../../../src/config/file/edit.ts";
import { type Json, parseJsonc } from "../../../src/config/file/jsonc.ts";

type Plain = { [key: string]: unknown };

function plain(json: Json): unknown {
  if (json.kind === "scalar") return json.value;
  if (json.kind === "array") return json.items.map((item) => plain(item.value));
  return Object.fromEntries(json.entries.map((entry) => [entry.key, plain(entry.value)]));
}

function read(text: string): unknown {
  const parsed = parseJsonc(text);
  if ("problem" in parsed) throw new Error(`${JSON.stringify(parsed.problem)} in ${JSON.stringify(text)}`);
  return plain(parsed.value);
}

const key = fc.oneof(
  fc.constantFrom("a", "b", "c", "ui", "a/b.c", "__proto__", "//", "/*"),
  fc.string({ maxLength: 4 }),
);
const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ maxLength: 6 }));
const { object } = fc.letrec<{ value: unknown; object: Plain }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(scalar, { maxLength: 3 }), tie("object")),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

const gap = fc.constantFrom(
  "",
  "",
  " ",
  "\n",
  "\r\n  ",
  "\t",
  "/* c */",
  "// x\n",
  "// y\r\n",
  "/* m\n n */",
  "\n    ",
  " // z\r",
);
const anyText = fc
  .tuple(object, fc.array(gap, { minLength: 8, maxLength: 24 }), fc.boolean(), fc.boolean())
  .map(([value, gaps, isTrailing, hasBom]) => ({
    value,
    text: (hasBom ? "\ufeff" : "") + render(value, gaps, isTrailing),
  }));

/** The value as text, with the gaps in turn wherever blanks and comments may stand. */
function render(value: unknown, gaps: readonly string[], isTrailing: boolean): string {
  let at = 0;
  const blank = () => gaps[at++ % gaps.length] ?? "";
  const walk = (one: unknown): string => {
    if (typeof one !== "object" || one === null) return `${blank()}${JSON.stringify(one)}${blank()}`;
    const [open, close] = Array.isArray(one) ? "[]" : "{}";
    const rows = Array.isArray(one)
      ? one.map(walk)
      : Object.entries(one).map(([name, inner]) => `${blank()}${JSON.stringify(name)}${blank()}:${walk(inner)}`);
    const tail = isTrailing && rows.length > 0 ? "," : "";
    return `${blank()}${open}${rows.join(",")}${tail}${blank()}${close}${blank()}`;
  };
  return walk(value);
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part.slice(at, at + char.length)) at += char.length;
  return at === part.length;
}

function comments(text: string): readonly string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g)]
    .map(([whole]) => whole)
    .filter((one) => !one.startsWith('"'));
}

function put(at: Plain, path: readonly string[], value: unknown): Plain {
  const [head = "", ...rest] = path;
  const inner = Object.hasOwn(at, head) ? at[head] : undefined;
  const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner);
  const next = rest.length === 0 ? value : put(isObject ? (inner as Plain) : {}, rest, value);
  return Object.fromEntries([...Object.entries(at).filter(([name]) => name !== head), [head, next]]);
}

function drop(at: Plain, path: readonly string[]): Plain {
  const [head = "", ...rest] = path;
  const entries = Object.entries(at).filter(([name]) => name !== head || rest.length > 0);
  return Object.fromEntries(entries.map(([name, inner]) => [name, name === head ? drop(inner as Plain, rest) : inner]));
}

/** Where the value at `path` stands, when it does. */
function spanOf(text: string, path: readonly string[]): { from: number; to: number } | null {
  const parsed = parseJsonc(text);
  let at = "value" in parsed ? parsed.value : null;
  for (const name of path) {
    const entry = at?.kind === "object" ? at.entries.find((one) => one.key === name) : undefined;
    if (!entry) return null;
    at = entry.value;
  }
  return at;
}

const path = fc.array(key, { minLength: 1, maxLength: 3 });
const runs = { numRuns: process.env.CODER_TEST_LONG ? 20_000 : 1_500 };

describe("setting one key of a file with comments", () => {
  test("[CF-1] the key has the value, every other value is as it was, and not one other byte has changed", () => {
    fc.assert(
      fc.property(
        anyText,
        path,
        fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), object),
        ({ value, text }, where, fresh) => {
          const after = withValue(text, where, fresh);
          expect(read(after)).toEqual(put(value, where, fresh));
          const span = spanOf(text, where);
          if (span === null) return;
          expect(after.slice(0, span.from)).toBe(text.slice(0, span.from));
          expect(after.endsWith(text.slice(span.to))).toBe(true);
        },
      ),
      runs,
    );
  });

  test("[CF-1] a key that was not there is only added: the old text is still all there, in order", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("new", "neu 新"), scalar, ({ text }, name, fresh) => {
        const after = withValue(text, [name], fresh);
        expect(isSubsequence(text, after)).toBe(true);
        expect(comments(after)).toEqual(comments(text));
      }),
      runs,
    );
  });

  test("[VF-2] [CF-1] an item of a list is only added, once: the old text is still all there, with every comment", () => {
    const at = (value: unknown, where: readonly string[]): unknown =>
      where.reduce<unknown>((one, name) => (isPlain(one) && Object.hasOwn(one, name) ? one[name] : undefined), value);
    const isPlain = (one: unknown): one is Plain => typeof one === "object" && one !== null && !Array.isArray(one);
    fc.assert(
      fc.property(anyText, path, fc.constantFrom("make test", "a"), ({ value, text }, where, item) => {
        const after = withItem(text, where, item);
        expect(isSubsequence(text, after)).toBe(true);
        expect(comments(after)).toEqual(comments(text));
        const before = at(value, where);
        const isBlocked = where.some((_, depth) => depth > 0 && isOther(at(value, where.slice(0, depth))));
        const isStill = isBlocked || (before !== undefined && !Array.isArray(before));
        if (isStill || (Array.isArray(before) && before.includes(item))) expect(after).toBe(text);
        else expect(read(after)).toEqual(put(value, where, [...((before as unknown[] | undefined) ?? []), item]));
        expect(withItem(after, where, item)).toBe(after);
      }),
      runs,
    );
    function isOther(one: unknown): boolean {
      return one !== undefined && !isPlain(one);
    }
  });

  test("[CF-1] unset takes away the key and no comment", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.boolean(), ({ value, text }, pick, isDeep) => {
        const names = Object.keys(value);
        if (names.length === 0) return;
        const name = names[pick % names.length] ?? "";
        const inner = value[name];
        const deeper =
          isDeep && typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.keys(inner) : [];
        const where = deeper[0] === undefined ? [name] : [name, deeper[0]];
        const after = withoutValue(text, where) ?? "";
        expect(read(after)).toEqual(drop(value, where));
        expect(isSubsequence(after, text)).toBe(true);
        const within = spanOf(text, where);
        const lost = within ? comments(text.slice(within.from, within.to)).length : 0;
        expect(comments(after).length).toBeGreaterThanOrEqual(comments(text).length - lost - 2);
      }),
      runs,
    );
  });
});

describe("how it looks afterwards", () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ["a new file", "", '{\n  "max_steps": 7\n}\n'],
    ["a file of comments", "// mine\r\n", '// mine\r\n{\r\n  "max_steps": 7\r\n}\r\n'],
    ["an empty object", "{}", '{\n  "max_steps": 7\n}'],
    ["an object with a comment", "{ // why\n}\n", '{ // why\n  "max_steps": 7\n}\n'],
    [
      "the comment of the last key stays with it",
      '{\n\t"mode": "plan" // careful\n}\n',
      '{\n\t"mode": "plan", // careful\n\t"max_steps": 7\n}\n',
    ],
    [
      "a comma at the end is kept as a habit",
      '{\r\n    "mode": "plan",\r\n}',
      '{\r\n    "mode": "plan",\r\n    "max_steps": 7,\r\n}',
    ],
    ["one line stays one line", '{"mode": "plan"}', '{"mode": "plan", "max_steps": 7}'],
    ["a line comment does not swallow it", '{"mode": "plan" // x\n}', '{"mode": "plan", // x\n"max_steps": 7\n}'],
    [
      "an old value is replaced where it stands",
      '{"max_steps" : 5 /* few */, "mode": "plan"}',
      '{"max_steps" : 7 /* few */, "mode": "plan"}',
    ],
  ];
  for (const [what, before, after] of cases) {
    test(`[CF-1] ${what}`, () => expect(withValue(before, ["max_steps"], 7)).toBe(after));
  }

  const removals: readonly (readonly [what: string, before: string, after: string | null])[] = [
    ["a line of its own goes as a whole", '{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "b": 2\n}\n'],
    [
      "the last of a file without a comma at the end leaves none",
      '{\n  "b": 1, // one\n  "a": 2\n}\n',
      '{\n  "b": 1 // one\n}\n',
    ],
    ["within a line", '{"b": 1, "a": 2, "c": 3}', '{"b": 1, "c": 3}'],
    ["the only one", '{ "a": { "x": [1] } }', "{ }"],
    ["one that is not there", '{"b": 1}', null],
    ["an empty file", "", null],
  ];
  for (const [what, before, after] of removals) {
    test(`[CF-1] unset: ${what}`, () => expect(withoutValue(before, ["a"])).toBe(after));
  }
});
