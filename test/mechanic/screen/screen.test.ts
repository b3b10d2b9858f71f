// The programs that try changes, run as the shell would run them: what they say, and that they leave nothing behind.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applied, candidatesFor } from "../../../src/mechanic/find/candidates.ts";
import { reportOf } from "../../../src/mechanic/report.ts";
import { screen } from "../../../src/mechanic/screen/screen.ts";
import { sourceOf } from "../../../src/mechanic/text/outline.ts";

interface Tried {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly survivors: readonly string[] | null;
  readonly better: number;
}

/** Screens a folder in which the first file is broken and the second holds the tests. */
async function screened(command: string, failing: string, files: Readonly<Record<string, string>>): Promise<Tried> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-screen-")));
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    const before = readdirSync(folder).sort();
    const [source, tests] = Object.entries(files).map(([path, text]) => sourceOf(path, text));
    const report = reportOf(`test_failure: 0 passed, 1 failed\n- ${failing}\n  AssertionError: assert 1 == 2\n`)!;
    const { all } = candidatesFor({ sources: [source!], tests: [tests!] }, report, "fix");
    const play = screen({ request: "", workspace: folder, lang: "en" }, { command, folder: "." }, report, all);
    const first = play.next([]);
    if (first.done) return { before, after: before, survivors: null, better: 0 };
    const line = String(first.value.asks[0]?.input.command);
    const shell = Bun.spawn(["bash", "-c", line], { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    const text = `exit code 0\n${await shell.stdout.text()}`;
    await shell.exited;
    const last = play.next([{ text, error: null }]);
    const found = last.done && last.value !== "stop" ? last.value : null;
    const texts = found?.survivors.map((one) => applied(one.source.text, one)) ?? null;
    for (const [path, own] of Object.entries(files)) expect(readFileSync(join(folder, path), "utf8")).toBe(own);
    // Plugins of pytest that are installed here may make hidden folders of their own.
    const after = readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort();
    return { before, after, survivors: texts, better: found?.better.length ?? 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const python = "def larger(a, b):\n    if a < b:\n        return a\n    return b\n";
const pythonTest =
  "from larger import larger\n\n\ndef test_larger():\n    assert larger(1, 2) == 2\n    assert larger(5, 3) == 5\n";

test("finds the change with which Python tests pass, in one process, and writes no file", async () => {
  const files = { "larger.py": python, "test_larger.py": pythonTest };
  const { before, after, survivors } = await screened(
    "pytest -q",
    "test_larger.py:5: test_larger.py::test_larger",
    files,
  );
  expect(survivors).toContain(python.replace("<", ">"));
  expect(after).toEqual(before);
});

test("a file that conftest.py has loaded already is changed too", async () => {
  const files = { "larger.py": python, "test_larger.py": pythonTest, "conftest.py": "import larger\n" };
  const { survivors } = await screened("pytest -q", "test_larger.py:5: test_larger.py::test_larger", files);
  expect(survivors).toContain(python.replace("<", ">"));
});

test("an endless loop costs its limit and no more", async () => {
  const source = "def count(to):\n    n = 0\n    while n < to:\n        n -= 1\n    return n\n";
  const tests = "from count import count\n\n\ndef test_count():\n    assert count(3) == 3\n";
  const files = { "count.py": source, "test_count.py": tests };
  const { survivors } = await screened("pytest -q", "test_count.py::test_count", files);
  expect(survivors).toContain(source.replace("-=", "+="));
});

const body = "export function larger(a, b) {\n  return a < b ? a : b;\n}\n";
const scriptTest = (load: string): string =>
  `${load}\nconst assert = require("node:assert");\nrequire("node:test")("larger", () => {\n  assert.equal(larger(1, 2), 2);\n  assert.equal(larger(5, 3), 5);\n});\n`;
const manifest = (type: string, script: string): string => JSON.stringify({ type, scripts: { test: script } });

test("finds the change in CommonJS and in modules, behind linters and in scripts of scripts", async () => {
  const common = body.replace("export function larger", "module.exports = function larger");
  const kinds: readonly (readonly [source: string, tests: string, file: string, manifest: string])[] = [
    [
      common,
      scriptTest('const larger = require("./larger.cjs");'),
      "larger.cjs",
      manifest("commonjs", "xo && node t.cjs"),
    ],
    [
      body,
      scriptTest(
        'import { larger } from "./larger.mjs";\nimport { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
      ),
      "larger.mjs",
      JSON.stringify({ scripts: { test: "npm run unit", unit: "node t.mjs" } }),
    ],
  ];
  for (const [source, tests, file, own] of kinds) {
    const files = { [file]: source, [file.replace("larger", "t")]: tests, "package.json": own };
    const { before, after, survivors } = await screened("npm test", "larger", files);
    expect(survivors).toContain(source.replace("<", ">"));
    expect(after).toEqual(before);
  }
});

test("says that it cannot where the tests pass, or do not see the file", async () => {
  const fine = { "larger.py": python.replace("<", ">"), "test_larger.py": pythonTest };
  expect((await screened("pytest -q", "test_larger.py::test_larger", fine)).survivors).toBeNull();
  const blind = {
    "larger.cjs": body.replace("export function larger", "module.exports = function larger"),
    "t.cjs": 'require("node:assert").equal(1, 2);\n',
    "package.json": manifest("commonjs", "node t.cjs"),
  };
  expect((await screened("npm test", "larger", blind)).survivors).toBeNull();
});
