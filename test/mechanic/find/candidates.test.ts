import { expect, test } from "bun:test";
import { applied, candidatesFor } from "../../../src/mechanic/find/candidates.ts";
import { reportOf } from "../../../src/mechanic/report.ts";
import { sourceOf } from "../../../src/mechanic/text/outline.ts";
import { growsEvenly } from "../../support/cpu.ts";

interface Fault {
  readonly name: string;
  readonly broken: string;
  readonly sound: string;
  readonly test: string;
  readonly error: string;
}

/** Where the repair stands among all that would be tried; 0 = not at all. */
function rankOf({ broken, sound, test: text, error }: Fault, path: "m.py" | "m.js"): number {
  const testPath = path === "m.py" ? "test_m.py" : "m.test.js";
  const said = `test_failure: 1 failed\n- ${testPath}:4: one\n  ${error.replaceAll("\n", "\n  ")}\n`;
  const scene = { tests: [sourceOf(testPath, text)!], sources: [sourceOf(path, broken)!] };
  const { all } = candidatesFor(scene, reportOf(said)!, "fix the failing test");
  const likely = all.toSorted((a, b) => b.weight - a.weight);
  return likely.findIndex((one) => applied(broken, one) === sound) + 1;
}

const python = (body: string) => `def f(a, b):\n${body}`;
const pytest = (call: string) => `from m import f\n\ndef test_one():\n    assert ${call}\n`;
const inPython: readonly Fault[] = [
  {
    name: "off by one in a range",
    broken: python("    return [a for _ in range(b - 1)]\n"),
    sound: python("    return [a for _ in range(b)]\n"),
    test: pytest("f(1, 3) == [1, 1, 1]"),
    error: "AssertionError: assert [1, 1] == [1, 1, 1]",
  },
  {
    name: "wrong operator",
    broken: python("    return a * b\n"),
    sound: python("    return a + b\n"),
    test: pytest("f(2, 5) == 7"),
    error: "AssertionError: assert 10 == 7",
  },
  {
    name: "boundary",
    broken: python("    return a < b\n"),
    sound: python("    return a <= b\n"),
    test: pytest("f(2, 2) is True"),
    error: "AssertionError: assert False is True",
  },
  {
    name: "missing return",
    broken: python("    c = a + b\n    c\n"),
    sound: python("    c = a + b\n    return c\n"),
    test: pytest("f(2, 2) == 4"),
    error: "AssertionError: assert None == 4",
  },
  {
    name: "wrong name",
    broken: python("    total = a + b\n    return totl\n"),
    sound: python("    total = a + b\n    return total\n"),
    test: pytest("f(2, 2) == 4"),
    error: "NameError: name 'totl' is not defined. Did you mean: 'total'?",
  },
  {
    name: "constant",
    broken: python("    return b if a else 24\n"),
    sound: python("    return b if a else 12\n"),
    test: pytest("f(0, 1) == 12"),
    error: "AssertionError: assert 24 == 12",
  },
];

const script = (body: string) => `export function f(a, b) {\n${body}}\n`;
const nodeTest = (call: string) =>
  `import assert from "node:assert";\nimport { f } from "./m.js";\ntest("one", async () => {\n  ${call}\n});\n`;
const inScript: readonly Fault[] = [
  {
    name: "order of arguments",
    broken: script("  return Math.pow(b, a);\n"),
    sound: script("  return Math.pow(a, b);\n"),
    test: nodeTest("assert.strictEqual(f(2, 5), 32);"),
    error: "AssertionError: Expected values to be strictly equal:\n\n25 !== 32\n",
  },
  {
    name: "and for or",
    broken: script("  return a > 0 && b > 0;\n"),
    sound: script("  return a > 0 || b > 0;\n"),
    test: nodeTest("assert.strictEqual(f(1, 0), true);"),
    error: "AssertionError: Expected values to be strictly equal:\n\nfalse !== true\n",
  },
  {
    name: "missing await",
    broken:
      "export async function g(a) { return [a]; }\nexport async function f(a) {\n  const all = g(a);\n  return all.length;\n}\n",
    sound:
      "export async function g(a) { return [a]; }\nexport async function f(a) {\n  const all = await g(a);\n  return all.length;\n}\n",
    test: nodeTest("assert.strictEqual(await f(1), 1);"),
    error: "AssertionError: Expected values to be strictly equal:\n\nundefined !== 1\n",
  },
  {
    name: "missing guard",
    broken: script("  return a.length + b;\n"),
    sound: script("  if (!a) return 0;\n  return a.length + b;\n"),
    test: nodeTest("assert.strictEqual(f(null, 1), 0);"),
    error: "TypeError: Cannot read properties of null (reading 'length')",
  },
];

/** What a task may check, less the first look. */
const tries = 19;

test("the repair of each classic fault is among the first nineteen tries", () => {
  const late = [
    ...inPython.map((fault) => [fault.name, rankOf(fault, "m.py")] as const),
    ...inScript.map((fault) => [fault.name, rankOf(fault, "m.js")] as const),
  ].filter(([, rank]) => rank === 0 || rank > tries);
  expect(late).toEqual([]);
});

test("no two tries are the same text, and none is what stands there already", () => {
  for (const { broken, test: text, error } of inPython) {
    const report = reportOf(`test_failure: 1 failed\n- test_m.py:4: one\n  ${error}\n`)!;
    const scene = { tests: [sourceOf("test_m.py", text)!], sources: [sourceOf("m.py", broken)!] };
    const texts = candidatesFor(scene, report, "fix").all.map((one) => applied(broken, one));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).not.toContain(broken);
  }
});

test("what reading the output of test runners costs grows with its length, however strange it is", async () => {
  const scene = {
    tests: [sourceOf("test_m.py", pytest("f(1, 1)"))!],
    sources: [sourceOf("m.py", python("    return a\n"))!],
  };
  for (const part of ["assert ", "[", "where 1 = f(", " == ", "a/b.py:1: ", "(((", "- x:1: y\n  ", "!= "]) {
    const read = (scale: number) => {
      const error = part.repeat(Math.ceil((3_750 * scale) / part.length));
      const report = reportOf(`test_failure: x\n- test_m.py:4: one\n  assert ${error}\n\n${error}`)!;
      return candidatesFor(scene, report, "fix");
    };
    expect([part, await growsEvenly(read)]).toEqual([part, true]);
  }
});

test("what looking at a function costs grows with its length, up to two thousand lines", async () => {
  const report = reportOf("test_failure: 1 failed\n- m.test.js:4: one\n  0 !== 12345\n")!;
  const look = (scale: number) => {
    const lines = Array.from(
      { length: 250 * scale },
      (_, n) => `  if (a > ${n} && b < v${n}) a = a * ${n} + b; let v${n} = a;\n`,
    );
    const scene = {
      tests: [sourceOf("m.test.js", nodeTest("assert.strictEqual(f(0, 0), 12345);"))!],
      sources: [sourceOf("m.js", script(lines.join("")))!],
    };
    return candidatesFor(scene, report, "fix");
  };
  expect(look(8).all.length).toBeGreaterThan(100);
  expect(await growsEvenly(look)).toBe(true);
});
