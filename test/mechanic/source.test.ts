import { expect, test } from "bun:test";
import fc from "fast-check";
import { literalOf } from "../../src/mechanic/text/literal.ts";
import { sourceOf } from "../../src/mechanic/text/outline.ts";
import { editAsk } from "../../src/mechanic/text/rewrite.ts";
import { tokenize } from "../../src/mechanic/text/token.ts";
import { growsEvenly } from "../support/cpu.ts";

/** What begins an expression inside a template. */
const hole = ["$", "{"].join("");

const shown = (path: string, text: string) =>
  sourceOf(path, text)?.routines.map(({ name, owner, params, isAsync }) => ({ name, owner, params, isAsync }));

test("finds the functions of a Python file, in classes too, with tabs and Windows line ends", () => {
  const text =
    "class Box:\r\n\tdef put(self, x, *, y=1):\r\n\t\treturn x\r\n\r\nasync def 取(a):\r\n\treturn 'def no(): pass'\r\n";
  expect(shown("a.py", text)).toEqual([
    { name: "put", owner: "Box", params: ["self", "x", "y"], isAsync: false },
    { name: "取", owner: null, params: ["a"], isAsync: true },
  ]);
});

test("finds the functions of a script: declared, assigned, and in classes", () => {
  const text = `export function a(x) { return /}/.test(x); }\nconst b = async (y) => y;\nclass C { get(k) { return \`}${hole}k}\`; } }\n`;
  expect(shown("a.ts", text)).toEqual([
    { name: "a", owner: null, params: ["x"], isAsync: false },
    { name: "b", owner: null, params: ["y"], isAsync: true },
    { name: "get", owner: "C", params: ["k"], isAsync: false },
  ]);
});

test("names in strings and comments are no names", () => {
  const names = (path: "python" | "script", text: string) =>
    tokenize(text, path).flatMap(({ kind, text: one }) => (kind === "name" ? [one] : []));
  expect(names("python", 'a = \'b\' # c\n"""d\ne"""\nf\'{g} h\'\n')).toEqual(["a", "g"]);
  expect(names("script", `a = 'b'; // c\n/* d */ \`e ${hole}f} g\` + /h/g;\n`)).toEqual(["a", "f"]);
});

test("every token stands where it says, whatever the text is", () => {
  const pieces = fc.constantFrom(
    "'",
    '"',
    "`",
    hole,
    "}",
    "{",
    "/",
    "*",
    "#",
    "\\",
    "\n",
    "\r\n",
    "\t",
    "x",
    "1",
    "é",
    "😀",
    '"""',
    "(",
    ")",
  );
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 40 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(anyText, fc.constantFrom("a.py", "a.js"), (text, path) => {
      const source = sourceOf(path, text);
      let done = 0;
      for (const { start, end, text: own, kind } of source?.tokens ?? []) {
        expect(start).toBeGreaterThanOrEqual(done);
        if (kind !== "end") expect(text.slice(start, end)).toBe(own);
        done = end;
      }
    }),
    { numRuns: 300 },
  );
});

test("an edit makes one text of a file into the other, by a part that stands there once", () => {
  const line = fc.constantFrom("a", "b", "  a", "", "return", "}");
  const file = fc.array(line, { minLength: 1, maxLength: 12 });
  const changed = fc.tuple(file, fc.nat(12), fc.nat(2), fc.array(line, { maxLength: 2 }));
  fc.assert(
    fc.property(changed, ([lines, at, gone, fresh]) => {
      const before = `${lines.join("\n")}\n`;
      const after = `${lines.toSpliced(at, gone, ...fresh).join("\n")}\n`;
      if (before === after || before.trim() === "") return;
      const { old_string: old, new_string: now } = editAsk("f", before, after).input as Record<string, string>;
      expect(before.split(old!)).toHaveLength(2);
      expect(before.replace(old!, () => now!)).toBe(after);
    }),
    { numRuns: 500 },
  );
});

test("reads the values that test runners print, and runs nothing", () => {
  const values = ["1", "-2.5", "'a'", "[1, 'b']", "{'k': [True, None]}", "{ a: 1, b: [ 'x' ] }", "undefined"];
  const [k, object] = [
    new Map([["k", [true, null]]]),
    new Map<string, unknown>([
      ["a", 1],
      ["b", ["x"]],
    ]),
  ];
  expect(values.map(literalOf) as unknown).toEqual([1, -2.5, "a", [1, "b"], k, object, null]);
  const others = ["process.exit()", "[1, f()]", "__import__('os')", "[".repeat(10_000)];
  expect(others.map(literalOf)).toEqual(others.map(() => undefined));
});

test("what reading a file costs grows with its length, whatever it holds", async () => {
  const texts: readonly (readonly [name: string, text: (scale: number) => string])[] = [
    ["a.py", (scale) => "def f(a, b):\n    return a + b  # note\n".repeat(625 * scale)],
    ["a.js", (scale) => "([{".repeat(7_500 * scale)],
    ["b.js", (scale) => `x = \`${`${hole}\``.repeat(250 * scale)}`],
    ["b.py", (scale) => `x = ${'f"{'.repeat(250 * scale)}`],
  ];
  for (const [name, text] of texts)
    expect([name, await growsEvenly((scale) => sourceOf(name, text(scale)))]).toEqual([name, true]);
});
