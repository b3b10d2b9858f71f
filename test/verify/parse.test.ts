import { expect, test } from "bun:test";
import { MAX_DETAILS, type VerificationDetail } from "../../src/contract/verification.ts";
import { parseOutput } from "../../src/verify/parse.ts";
import { byTool, type ExpectedFailure, parsedRow, type Row, rowNamed, rows } from "./recorded.ts";

for (const [tool, some] of byTool(rows)) {
  test(`[VF-4] ${tool}: verdict, counts, and file, line and message of every failure are those of the recordings`, () => {
    for (const row of some) expect([row.id, found(row)]).toEqual([row.id, wanted(row)]);
  });
}

/** As much of the result as the recording says something about. */
function found(row: Row): unknown {
  const { ok, type, counts, details } = parsedRow(row);
  const { expected } = row;
  const keys = Object.keys(expected.counts) as (keyof typeof counts)[];
  return {
    ok,
    ...(expected.type === undefined ? {} : { type }),
    counts: Object.fromEntries(keys.map((key) => [key, counts[key]])),
    failures: expected.failures === null ? null : details.map((one) => tellFound(one, expected.failures ?? [])).sort(),
  };
}

function wanted({ expected }: Row): unknown {
  const failures = expected.failures?.map(({ name, file, line }) => tell(name, file, line, true)).sort() ?? null;
  return { ...expected, failures };
}

function tellFound({ test, file, line, error }: VerificationDetail, all: readonly ExpectedFailure[]): string {
  const texts = all
    .filter((one) => one.name === test && one.file === file && one.line === line)
    .map((one) => [one.message_contains, one.message_also_contains ?? one.message_contains]);
  return tell(
    test,
    file,
    line,
    texts.some((some) => some.every((text) => error.includes(text))),
  );
}

function tell(name: string | null, file: string | null, line: number | null, isSaid: boolean): string {
  return JSON.stringify({ name, file, line, isSaid });
}

test("[VF-4] a result is whole: every field, in the person's language", () => {
  const ran = { runner: "jest", command: "npx jest", exitCode: 1, timedOut: false, cwd: "/project" } as const;
  const output = [
    "FAIL ./calc.test.js",
    "  ● nested › adds wrong",
    "",
    "    Expected: 5",
    "",
    "    > 8 |   expect(add(2, 2)).toBe(5);",
    "",
    "      at Object.toBe (calc.test.js:8:21)",
    "",
    "Test Suites: 1 failed, 1 total",
    "Tests:       1 failed, 2 passed, 3 total",
    "",
  ].join("\n");
  const context = "> 8 |   expect(add(2, 2)).toBe(5);\n  at Object.toBe (calc.test.js:8:21)";
  const english = parseOutput({ ...ran, output });
  expect(english).toEqual({
    ok: false,
    type: "test_failure",
    command: "npx jest",
    exit_code: 1,
    summary: "jest: 2 passed, 1 failed",
    counts: { passed: 2, failed: 1, errors: 0, skipped: 0, todo: 0 },
    details: [{ file: "calc.test.js", line: 8, error: "Expected: 5", context, test: "nested › adds wrong" }],
    suggestion: "Make the smallest change that fixes calc.test.js:8, then verify again.",
    fingerprint: english.fingerprint,
  });
  const chinese = parseOutput({ ...ran, output, lang: "zh" });
  expect({ summary: chinese.summary, suggestion: chinese.suggestion }).toEqual({
    summary: "jest：通过 2，失败 1",
    suggestion: "以最小的改动修复 calc.test.js:8，然后重新验证。",
  });
});

test("[VF-4] a thousand failures are counted, and the first of them kept within bounds", () => {
  const many = Array.from({ length: 5000 }, (_, n) => `src/a${n}.ts(${n + 1},1): error TS2322: ${"x".repeat(3000)}`);
  const result = parseOutput({
    runner: "tsc",
    command: "tsc",
    exitCode: 2,
    output: many.map((line) => line.slice(0, 1900)).join("\n"),
    timedOut: false,
    cwd: "/project",
  });
  expect(result.counts.errors).toBe(5000);
  expect(result.details).toHaveLength(MAX_DETAILS);
  expect(JSON.stringify(result).length).toBeLessThan(MAX_DETAILS * 6000);
});

test("[VF-4] bare file names of Go and Java become paths where somebody can say what is there", () => {
  const go = parsedRow(rowNamed("go_parallel"), { exists: (path) => path === "sub/b_test.go" });
  expect(go.details.map(({ file }) => file)).toEqual(["sub/b_test.go", "sub/b_test.go"]);
  const known = new Set(["src/test/java/ex/CalcTest.java", "src/main/java/ex/Calc.java"]);
  const java = parsedRow(rowNamed("maven_default"), { exists: (path) => known.has(path) });
  expect(new Set(java.details.map(({ file }) => file))).toEqual(known);
});

test("[VF-4] a Python module of the project that cannot be imported is the code's fault, another is the environment's", () => {
  const row = rowNamed("pytest_missing_dep");
  expect(parsedRow(row).type).toBe("environment");
  expect(parsedRow(row, { exists: (path) => path === "requests_not_here" }).type).toBe("test_failure");
});

test("[VF-4] where no runner is known by the output, the exit code decides, and the result says so", () => {
  const ran = { runner: "auto", command: "make check", output: "all is well\n", timedOut: false, cwd: "/p" } as const;
  const passed = { ok: true, type: "pass", evidence: "exit_code" };
  expect(parseOutput({ ...ran, exitCode: 0 })).toMatchObject(passed);
  expect(parseOutput({ ...ran, exitCode: 0, output: "" })).toMatchObject(passed);
  expect(parseOutput({ ...ran, exitCode: 0 }).summary).toContain("passed by exit code");
  expect(parseOutput({ ...ran, exitCode: 0, lang: "zh" }).summary).toContain("按退出码判定为通过");
  const failed = { ok: false, type: "test_failure", evidence: "exit_code" };
  expect(parseOutput({ ...ran, exitCode: 1 })).toMatchObject(failed);
  const killed = parseOutput({ ...ran, exitCode: 137 });
  expect([killed.ok, killed.type]).toEqual([false, "environment"]);
});

test("[VF-4] a known runner that says nothing has proved nothing, unless its reporter is the project's own", () => {
  const ran = { runner: "auto", command: "npx jest", timedOut: false, cwd: "/p", exitCode: 0 } as const;
  expect(parseOutput({ ...ran, output: "" })).toMatchObject({ ok: false, type: "environment" });
  expect(parseOutput({ ...ran, output: "warming up\n" })).toMatchObject({ ok: false, type: "environment" });
  const own = { ...ran, command: "npx jest --reporters=./tools/quiet.js", output: "fine\n" };
  expect(parseOutput(own)).toMatchObject({ ok: true, evidence: "exit_code" });
  expect(parseOutput({ ...own, output: "6 tests, 2 failures\n" })).toMatchObject({ ok: false, type: "test_failure" });
});

test("[VF-4] a run without tests is no pass, whichever runner says so", () => {
  const ran = { runner: "auto", command: "make test", timedOut: false, cwd: "/p", exitCode: 0 } as const;
  const said = ["Ran 0 tests in 0.000s\n\nOK", "0 specs, 0 failures", "No tests found", "1..0\n# tests 0\n# pass  0\n"];
  const more = [
    "Error: no test specified",
    "no tests to run",
    "  Total:     0\n  Passed:    0",
    "Ran 2 tests\n\nOK (skipped=2)",
  ];
  for (const output of [...said, ...more])
    expect([output, parseOutput({ ...ran, output: `${output}\n` }).ok]).toEqual([output, false]);
});
