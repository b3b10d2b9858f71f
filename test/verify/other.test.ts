// Runners that have no reader of their own: what uvu, tape and its formatters, tap, QUnit, ava, Jasmine, karma, unittest and a plain
// script printed for the same three tests, right and wrong.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VerificationDetail } from "../../src/contract/verification.ts";
import { parseOutput } from "../../src/verify/parse.ts";

interface Recorded {
  readonly id: string;
  readonly exit_code: number;
  readonly output: string;
  readonly expected: {
    readonly passed: number | null;
    readonly failed: number | null;
    readonly failures: readonly Omit<VerificationDetail, "context">[];
  };
}

const text = readFileSync(join(import.meta.dir, "fixtures", "other-output.jsonl"), "utf8");
const rows = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);
const command = "npm test -- --watch=false";
const there = new Set(["tape.js", "calc.js"]);
const ran = {
  runner: "auto",
  command,
  timedOut: false,
  cwd: "/project",
  exists: (path: string) => there.has(path),
} as const;

describe.each(rows)("$id", ({ exit_code: exitCode, output, expected }) => {
  const found = parseOutput({ ...ran, exitCode, output });

  test("[VF-4] the verdict is that of the exit code, with the counts that the text has", () => {
    const { ok, type, counts, evidence } = found;
    const isCounted = expected.passed !== null || expected.failed !== null;
    expect({ ok, type, passed: counts.passed, failed: counts.failed, evidence }).toEqual({
      ok: exitCode === 0,
      type: exitCode === 0 ? "pass" : "test_failure",
      passed: expected.passed,
      failed: expected.failed,
      evidence: isCounted ? undefined : "exit_code",
    });
  });

  test("[VF-4] each failure has its test's name, its place and what was asserted", () => {
    const told = [...found.details].sort((a, b) => (a.error < b.error ? -1 : 1));
    const place = ({ test: name, file, line }: Pick<VerificationDetail, "test" | "file" | "line">) => [
      name,
      file,
      line,
    ];
    expect(found.details.map(place).sort()).toEqual(expected.failures.map(place).sort());
    for (const { error } of expected.failures) expect(told.some((one) => one.error.includes(error))).toBe(true);
  });

  test("[VF-4] a failure carries frames of the workspace and none of node_modules or of the runtime", () => {
    const all = found.details.flatMap(({ error, context }) => `${error}\n${context}`.split("\n"));
    expect(all.filter((line) => /^\s*at .*(?:node_modules|node:|<Jasmine>)/.test(line))).toEqual([]);
  });

  test("[VF-4] ended by a signal, or late, it is never a pass", () => {
    const ends = [
      parseOutput({ ...ran, output, exitCode: 137 }),
      parseOutput({ ...ran, output, exitCode: null, timedOut: true }),
    ];
    expect(ends.map(({ ok }) => ok)).toEqual([false, false]);
  });
});

test("[VF-4] what failed is believed where a script hides the exit code", () => {
  const hidden = rows.filter(({ exit_code: code, expected }) => code !== 0 && expected.failed !== null);
  for (const { id, output } of hidden)
    expect([id, parseOutput({ ...ran, output, exitCode: 0 }).type]).toEqual([id, "test_failure"]);
});

test("[VF-4] a count of what is failing is believed against an exit code of 0, though it counts nothing else", () => {
  expect(parseOutput({ ...ran, output: "checking add\n1 failing\n", exitCode: 0 }).type).toBe("test_failure");
  for (const none of ["0 failing", "0 tests failed"])
    expect(parseOutput({ ...ran, output: `checking add\n${none}\n`, exitCode: 0 })).toMatchObject({
      type: "pass",
      evidence: "exit_code",
    });
});

test("[VF-4] words of the program under test that look like a failure do not make one of a run that passed", () => {
  const noise = [
    "FAIL: expected, this is a test of the log",
    "Error: caught on purpose",
    "2 errors",
    "✖ not a test",
    "",
  ].join("\n");
  for (const { id, output } of rows.filter(({ exit_code: code }) => code === 0)) {
    expect([id, parseOutput({ ...ran, output: `${noise}\n${output}`, exitCode: 0 }).ok]).toEqual([id, true]);
  }
});

test("[VF-4] an output without end, and lines made to keep a reader busy, are read within bounds", () => {
  const lines = ["✖ ", "FAIL ", "1) ", "Error: ", "    at f (", "1 passed, ", "executed ", "operator: ", "# "];
  const long = lines.map((line) => line.repeat(20_000)).join("\n");
  const many = Array.from(
    { length: 20_000 },
    (_, n) => `✖ test ${n}\n  Error: ${n}\n    at f (/project/a.js:${n}:1)`,
  ).join("\n");
  for (const output of [long, many]) {
    const result = parseOutput({ ...ran, output, exitCode: 1 });
    expect([result.ok, JSON.stringify(result).length < 200_000]).toEqual([false, true]);
  }
});

/** As they wrote it, cut to what matters. */
const npm = "\n> p@1.0.0 test\n> ava\n\n";
const noise = "npm warn config x\nnpm error Lifecycle script `test` failed with error:\n";
const judged = (output: string, exitCode: number) =>
  parseOutput({ ...ran, cwd: "/p", exists: () => false, exitCode, output });

test("[VF-4] what a summary adds below its counts, such as ava's known failures and todos, takes none of them away", () => {
  const marks = "  ✔ adds\n  ✔ [expected fail] known\n  ─\n\n";
  const sums = [
    "  1 test passed\n  1 known failure\n  1 test skipped\n  1 test todo\n",
    "  1 test passed\n\n  1 test todo\n",
  ];
  for (const sum of sums) {
    const { ok, counts } = judged(`${npm}${marks}${sum}`, 0);
    expect([ok, counts.passed, counts.failed]).toEqual([true, 1, 0]);
  }
  const failed = judged(`${npm}  ✘ [fail]: adds\n  ─\n\n  1 test failed\n  1 known failure\n  1 test todo\n`, 1);
  expect([failed.type, failed.counts.failed, failed.details.length]).toEqual(["test_failure", 1, 1]);
  expect(judged(`${npm}  1 test failed\n  1 known failure\n  1 test todo\n`, 0).ok).toBe(false);
});

test("[VF-4] a declared package that is not installed is no failure of the code, though the runner counts a process that ended", () => {
  const ava = (name: string) =>
    `${npm}  Uncaught exception in a.test.js\n\n  Error: Cannot find module '${name}'\n  Require stack:\n  - /p/calc.js\n  - /p/a.test.js\n\n  › Object.<anonymous> (calc.js:1:9)\n\n  ✘ a.test.js exited with a non-zero exit code: 1\n  ─\n\n  1 uncaught exception\n`;
  expect(judged(ava("left-pad"), 1)).toMatchObject({ type: "environment", details: [{ file: "calc.js" }] });
  expect(judged(ava("./gone"), 1).type).toBe("test_failure");
});

test("[VF-4] of a file that tap could not load the reason is told, wherever the output has it", () => {
  const crash = (name: string) =>
    `node:internal/modules/cjs/loader:1207\n  const err = new Error(message);\n              ^\n\nError: Cannot find module '${name}'\nRequire stack:\n- /p/calc.js\n    at Module._load (node:internal/modules/cjs/loader:1038:27)\n    at Object.<anonymous> (/p/calc.js:1:9) {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n`;
  const tap =
    "TAP version 14\n1..1\n# Subtest: a.test.js\n    1..0 # no tests found\nnot ok 1 - a.test.js # time=616.595ms\n  ---\n  stdio: inherit\n  externalID: a.test.js\n  exitCode: 1\n  signal: null\n  ...\n\n# { total: 1, pass: 0, fail: 1 }\n# time=646.064ms\n";
  for (const output of [`${tap}${crash("./gone")}`, `${crash("./gone")}${tap}`])
    expect(judged(output, 1)).toMatchObject({
      type: "test_failure",
      details: [{ file: "calc.js", line: 1, test: "a.test.js" }],
    });
  expect(judged(`${tap}${crash("left-pad")}`, 1).type).toBe("environment");
  expect(judged(tap, 1)).toMatchObject({ type: "test_failure", details: [{ test: "a.test.js" }] });
});

test("[VF-4] a failure in TAP says what was asserted, and no frame of the library", () => {
  const ava =
    "TAP version 13\nnot ok 1 - adds\n  ---\n    name: AssertionError\n    assertion: t.is()\n    details:\n      'Difference (- actual, + expected):': |-\n        - -1\n        + 3\n    message: ''\n    at: >-\n      ExecutionContext.is\n      (file:///p/node_modules/ava/lib/assert.js:309:16)\n  ...\n\n1..1\n# tests 1\n# pass 0\n# fail 1\n";
  const [one] = judged(`${ava}\n${noise}`, 1).details;
  expect([one?.test, one?.file]).toEqual(["adds", null]);
  expect(one?.error).toContain("- -1\n+ 3");
});

test("[VF-4] what npm says about the script is no part of a failure", () => {
  const [one] = judged(`> p@1.0.0 test\n> node t.js\n\n✗ adds\n  want 3, got -1\n${noise}`, 1).details;
  expect(one).toMatchObject({ test: "adds", error: "want 3, got -1" });
});

test("[VF-4] the header of npm is no title of a group, also of a package without a version", () => {
  const header = "\n> test\n> ava --watch=false\n\n";
  const ava = `${header}  ✘ [fail]: adds\n  ✔ other\n  ─\n\n  adds\n\n  a.test.js:3\n\n  Difference (- actual, + expected):\n\n  - -1\n  + 3\n\n  › a.test.js:3:24\n\n  ─\n\n  1 test failed\n`;
  const [one] = judged(ava, 1).details;
  expect(one).toMatchObject({ test: "adds" });
  expect(one?.error).toContain("- -1\n+ 3");
});

test("[VF-4] a list of names with their verdicts, such as that of unittest -v, hides no failure told below it", () => {
  const rule = "-".repeat(70);
  const output = `python3 -m unittest -v\ntest_add (t.T.test_add) ... FAIL\ntest_b (t.T.test_b) ... skipped 'x'\ntest_o (t.T.test_o) ... ok\n\n${"=".repeat(70)}\nFAIL: test_add (t.T.test_add)\n${rule}\nTraceback (most recent call last):\n  File "/p/t.py", line 5, in test_add\n    self.assertEqual(add(1, 2), 3)\nAssertionError: -1 != 3\n\n${rule}\nRan 3 tests in 0.000s\n\nFAILED (failures=1, skipped=1)\n`;
  const { details } = judged(output, 1);
  expect(details).toMatchObject([
    { test: "test_add (t.T.test_add)", file: "t.py", line: 5, error: "AssertionError: -1 != 3" },
  ]);
});

test("[VF-4] make that finds nothing to do has tested nothing, and what it says of a part takes nothing away", () => {
  const idle = [
    "make: 'test' is up to date.\n",
    "make: Nothing to be done for 'test'.\n",
    "\n> p@1.0.0 test\n> make test\n\nmake: `test' is up to date.\n",
    "make -C src test\nmake[1]: Entering directory '/p/src'\nmake[1]: 'test' is up to date.\nmake[1]: Leaving directory '/p/src'\n",
  ];
  for (const output of idle) expect([output, judged(output, 0).type]).toEqual([output, "environment"]);
  const part = "make -C lib\nmake[1]: Nothing to be done for 'all'.\nnode check.js\nfine\n";
  expect(judged(part, 0)).toMatchObject({ type: "pass", evidence: "exit_code" });
});

test("[VF-4] a script that hides the exit code is no pass where nothing is counted", () => {
  const trace = "Assertion failed: add\n";
  const outputs = [
    `\n> p@1.0.0 test\n> node t.js || true\n\n${trace}`,
    `\n> p@1.0.0 test\n> node t.js; exit 0 --watch=false\n\n${trace}`,
    `\n> p@1.0.0 test\n> node t.js | tee log\n\n${trace}`,
    `node t.js || true\n${trace}`,
    `node t.js\n${trace}make: [Makefile:3: test] Error 1 (ignored)\n`,
  ];
  for (const output of outputs) {
    expect([output, judged(output, 0).ok]).toEqual([output, false]);
    expect([output, judged(`${output}3 passed, 0 failed\n`, 0).ok]).toEqual([output, true]);
  }
  const piped = `\n> p@1.0.0 test\n> tape test/*.js | tap-min\n\nfine\n`;
  expect(judged(piped, 0)).toMatchObject({ type: "pass", evidence: "exit_code" });
});

test("[VF-4] the dots of node's dot reporter pass by exit code, and without any there were no tests", () => {
  const header = "\n> p@1.0.0 test\n> node --test --test-reporter=dot\n\n";
  expect(judged(`${header}..\n`, 0)).toMatchObject({ type: "pass", evidence: "exit_code" });
  expect(judged(`${header}\n`, 0).type).toBe("environment");
});

test("[VF-4] the last words of deno and prove are no failures of their own, and a place in quotes has no blanks around it", () => {
  const deno = `adds ... FAILED (3ms)\n\n ERRORS\n\nadds => ./a_test.ts:3:6\nerror: AssertionError: -1 is not 3.\n    at file:///p/a_test.ts:5:3\n\n FAILURES\n\nadds => ./a_test.ts:3:6\n\nFAILED | 0 passed | 1 failed (12ms)\n\nerror: Test failed\n`;
  expect(judged(deno, 1).details.map(({ test: name }) => name)).toEqual(["adds"]);
  const prove = `t/a.t .. 1/1\n# Failed test 'adds'\n# at t/a.t line 3.\nt/a.t .. Dubious, test returned 1\nFailed 1/1 subtests\nFiles=1, Tests=1,  0 wallclock secs\nResult: FAIL\n`;
  expect(judged(prove, 1).details.map(({ test: name }) => name)).not.toContain("Result:");
  const zora = `TAP version 13\n# adds\nnot ok 1 - one and two\n  ---\n    actual: -1\n    expected: 3\n    at: " /p/a.test.js:1:59"\n  ...\n\n1..1\n# tests 1\n# pass  0\n# fail  1\n# skip  0\n`;
  expect(judged(zora, 1).details).toMatchObject([{ file: "a.test.js", line: 1 }]);
});
