// Small projects with runners that have no reader of their own. Each is played right and wrong; what it ends with is known before.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TaskSummary } from "../../src/contract/task.ts";
import { Cli } from "./cli.ts";

export interface RunnerProject {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file that the task writes, as it should be and as it should not. */
  readonly path: string;
  readonly right: string;
  readonly wrong: string;
  readonly command: string;
  /** Without which it cannot be played here. */
  readonly programs: readonly string[];
  /** To be installed first. */
  readonly packages?: readonly string[];
  /** Of the right one; `null` = it passes by its exit code. */
  readonly passed: number | null;
  /** What the failure of the wrong one has to say. */
  readonly says: RegExp;
}

const npm = "npm test -- --watch=false";
const manifest = (test: string, more = {}) => JSON.stringify({ name: "p", private: true, scripts: { test }, ...more });
const js = { path: "calc.js", right: "exports.add = (a, b) => a + b;\n", wrong: "exports.add = (a, b) => a - b;\n" };
const py = {
  path: "calc.py",
  right: "def add(a, b):\n    return a + b\n",
  wrong: "def add(a, b):\n    return a - b\n",
};
const assertion = 'const assert = require("node:assert");\nconst { add } = require("./calc.js");\n';
const script = (text: string) => `${assertion}${text}\n`;

/** What a machine with node, python and make can play. */
const local: readonly RunnerProject[] = [
  {
    ...{ name: "a script that asserts", ...js, command: npm, programs: ["node", "npm"], passed: null },
    files: {
      "package.json": manifest("node test.js"),
      "test.js": script('assert.strictEqual(add(1, 2), 3, "one and two");'),
    },
    says: /one and two/,
  },
  {
    ...{ name: "a runner of the project's own", ...js, command: npm, programs: ["node", "npm"], passed: 2 },
    files: {
      "package.json": manifest("node run.js"),
      "run.js": script(
        'const tests = { adds: () => assert.equal(add(1, 2), 3), fine() {} };\nlet failed = 0;\nfor (const [name, run] of Object.entries(tests)) {\n  try { run(); console.log("✓ " + name); } catch (error) { failed++; console.log("✗ " + name + "\\n  " + error.stack.replaceAll("\\n", "\\n  ")); }\n}\nconsole.log("\\n" + (2 - failed) + " passed, " + failed + " failed");\nprocess.exitCode = failed ? 1 : 0;',
      ),
    },
    says: /adds[\s\S]*-1 == 3/,
  },
  {
    ...{ name: "TAP without a library", ...js, command: npm, programs: ["node", "npm"], passed: 1 },
    files: {
      "package.json": manifest("node tap.js"),
      "tap.js": script(
        'console.log("TAP version 13\\n1..1");\nconst isOk = add(1, 2) === 3;\nconsole.log((isOk ? "" : "not ") + "ok 1 - one and two");\nprocess.exitCode = isOk ? 0 : 1;',
      ),
    },
    says: /one and two/,
  },
  {
    ...{
      name: "node:test behind npm, in its plain form",
      ...js,
      command: "npm test",
      programs: ["node", "npm"],
      passed: 1,
    },
    files: {
      "package.json": manifest("node --test"),
      "calc.test.js": script('require("node:test")("adds", () => assert.equal(add(1, 2), 3));'),
    },
    says: /adds/,
  },
  {
    ...{
      name: "unittest",
      ...py,
      command: `${Bun.which("python") ? "python" : "python3"} -m unittest`,
      programs: ["python3"],
      passed: 1,
    },
    files: {
      Makefile: "",
      "test_calc.py":
        "import unittest\nfrom calc import add\n\n\nclass CalcTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n",
    },
    says: /test_add[\s\S]*-1 != 3/,
  },
  {
    ...{ name: "unittest behind make", ...py, command: "make test", programs: ["python3", "make"], passed: 1 },
    files: {
      Makefile: "test:\n\tpython3 -m unittest discover -s checks\n",
      "checks/test_calc.py":
        "import unittest\nfrom calc import add\n\n\nclass CalcTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n",
    },
    says: /test_add[\s\S]*-1 != 3/,
  },
  {
    ...{
      name: "doctest behind make",
      command: "make test",
      programs: ["python3", "make"],
      passed: null,
      path: "calc.py",
    },
    files: { Makefile: "test:\n\tpython3 -m doctest calc.py\n" },
    right: 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n    return a + b\n',
    wrong: 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n    return a - b\n',
    says: /Failed example|Expected/,
  },
  {
    ...{ name: "a shell script behind make", ...js, command: "make test", programs: ["node", "make"], passed: null },
    files: {
      Makefile: ".PHONY: test\ntest:\n\t./check.sh\n",
      "check.sh":
        '#!/bin/sh\nout=$(node -p "require(\'./calc.js\').add(1, 2)")\n[ "$out" = 3 ] || { echo "adds: want 3, got $out" >&2; exit 1; }\n',
    },
    says: /want 3, got -1/,
  },
];

const uses = (library: string, text: string) => `${library}\nconst { add } = require("./calc.js");\n${text}\n`;
const tape = uses(
  'const test = require("tape");',
  'test("adds", (t) => { t.equal(add(1, 2), 3, "one and two"); t.end(); });',
);
const spec =
  'const { add } = require("../calc.js");\ndescribe("Calc", () => { it("adds", () => { expect(add(1, 2)).toBe(3); }); });\n';
const needs = { ...js, command: npm, programs: ["node", "npm"], passed: 1 };

/** What the registry is needed for. */
const installed: readonly RunnerProject[] = [
  {
    ...{ name: "uvu", ...needs, packages: ["uvu@0.5.6"], says: /adds[\s\S]*strictly equal/ },
    files: {
      "package.json": manifest("uvu tests"),
      "tests/calc.js":
        'const { test } = require("uvu");\nconst assert = require("uvu/assert");\nconst { add } = require("../calc.js");\ntest("adds", () => assert.is(add(1, 2), 3));\ntest.run();\n',
    },
  },
  {
    ...{ name: "tape", ...needs, packages: ["tape@5.9.0"], says: /adds > one and two/ },
    files: { "package.json": manifest("tape t.js"), "t.js": tape },
  },
  ...["tap-spec@5.0.0", "faucet@0.0.4", "tap-diff@0.1.1", "tap-arc@1.3.2", "tap-dot@2.0.0"].map((formatter) => ({
    ...{
      name: `tape and ${formatter.split("@")[0]}`,
      ...needs,
      packages: ["tape@5.9.0", formatter],
      says: /one and two|adds/,
    },
    files: { "package.json": manifest(`tape t.js | ${formatter.split("@")[0]}`), "t.js": tape },
  })),
  {
    ...{
      name: "tap",
      ...needs,
      command: "npm test",
      packages: ["tap@16.3.10"],
      says: /adds > should be equal/,
      passed: null,
    },
    files: {
      "package.json": manifest("tap --no-coverage t.js"),
      "t.js": uses('const t = require("tap");', 't.test("adds", (t) => { t.equal(add(1, 2), 3); t.end(); });'),
    },
  },
  {
    ...{ name: "ava", ...needs, packages: ["ava@6.4.1"], says: /adds[\s\S]*Difference/ },
    files: {
      "package.json": manifest("ava", { type: "commonjs" }),
      "test.js": uses('const test = require("ava");', 'test("adds", (t) => t.is(add(1, 2), 3));'),
    },
  },
  {
    ...{
      name: "jasmine",
      ...needs,
      command: "npm test",
      packages: ["jasmine@5.12.0"],
      says: /Calc adds[\s\S]*Expected -1 to be 3/,
    },
    files: {
      "package.json": manifest("jasmine"),
      "spec/support/jasmine.json": '{"spec_dir":"spec","spec_files":["**/*.spec.js"]}',
      "spec/calc.spec.js": spec,
    },
  },
  {
    ...{ name: "QUnit", ...needs, command: "npm test", packages: ["qunit@2.24.1"], says: /calc > adds/ },
    files: {
      "package.json": manifest("qunit q.js"),
      "q.js": uses("", 'QUnit.module("calc"); QUnit.test("adds", (assert) => assert.equal(add(1, 2), 3));'),
    },
  },
];

export const localProjects = local;
export const installedProjects = installed;

export interface Played {
  readonly outcome: string;
  readonly code: number;
  readonly verification: TaskSummary["verification"];
}

/** One task that writes these contents one after the other, each time it is told that the check failed. */
export async function play(project: RunnerProject, contents: readonly string[]): Promise<Played> {
  const { files, path, command, packages = [] } = project;
  const turns = contents.flatMap((content) => [
    { calls: [{ tool: "write", input: { path, content } }] },
    { text: "done" },
  ]);
  using cli = new Cli(turns);
  mkdirSync(cli.home);
  const workflow = { verify_allowed: [command], max_verify_attempts: contents.length };
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ workflow }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.workspace, name)), { recursive: true });
    writeFileSync(join(cli.workspace, name), text, { mode: name.endsWith(".sh") ? 0o755 : 0o644 });
  }
  if (packages.length > 0) {
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", ...packages];
    execFileSync("npm", args, { cwd: cli.workspace, stdio: "ignore" });
  }
  const ran = await cli.run(["run", ...cli.model, "--mode", "auto-edit", "--output", "json", "write it"]);
  const { outcome, summary } = JSON.parse(ran.out) as { outcome: string; summary: TaskSummary };
  return { outcome, code: ran.code, verification: summary.verification };
}
