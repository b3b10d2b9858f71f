import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Runner, runners, type VerificationResult } from "../../src/contract/verification.ts";
import { runnersOf } from "../../src/verify/detect/runner-of.ts";
import { parseOutput } from "../../src/verify/parse.ts";
import { byTool, parsedRow, type Row, rows } from "./recorded.ts";

/** Silence is how these two pass. */
const isSilent = (row: Row) => row.tool === "eslint" || row.tool === "tsc";
const good = rows.filter((row) => row.expected.ok && !isSilent(row));
const bad = rows.filter((row) => !row.expected.ok && row.exit_code !== 0);
/** Where one run follows another, what is cut off may be a whole one: only the exit code tells. */
const single = bad.filter(
  (row) => !/^(?:cargo|go)\b|make/.test(row.tool) && !/workspaces|recursive|turbo/.test(row.id) && !isSilent(row),
);

/** They pass by their exit code: no summary of theirs was written. */
const uncounted = new Set(["unknown_ok", "nodetest_ok_dot"]);

/** By what it says, and not by the exit code of a command whose runner nobody knows (yet, where its name is cut off). */
const isReadAsPass = ({ ok, evidence }: VerificationResult) => ok && evidence !== "exit_code";

/** The line with which each of them says that it is done. */
const summaries: Readonly<Record<string, RegExp>> = {
  pytest: /passed.* in [\d.]+s|\[100%\]/,
  jest: /^(?:\S+: )?Tests: .* total$|"numTotalTests":/m,
  vitest: /Duration |"numTotalTests":|^\}$/m,
  mocha: /\d+ passing \(\d+ms\)|# pass 1|"passes": \[/,
  "node:test": /duration_ms \d[\s\S]*$/,
  bun: /^Ran \d+ tests? across/m,
  go: /^ok {2}\t|"Action":"pass","Package"/m,
  cargo: /^test result: ok/m,
  surefire: /^\[INFO\] BUILD SUCCESS$/m,
  gradle: /^BUILD SUCCESSFUL in/m,
};

for (const [tool, some] of byTool(good)) {
  test(`[VF-4] ${tool}: a run that passed, cut at any byte before its summary, is not a pass`, () => {
    for (const row of some) expect([row.id, passesBefore(row, summaries[tool])]).toEqual([row.id, []]);
  });
}

function passesBefore(row: Row, summary: RegExp | undefined): readonly number[] {
  const bytes = Buffer.from(row.output);
  const passes: number[] = [];
  // Where nothing names the runner, its counts are read as those of any other, as soon as they are there.
  const isCounted = (output: string) => runnersOf(row.command, "").length === 0 && /\d pass|Tests: +\d/.test(output);
  for (let at = 0; at < bytes.length; at++) {
    if (at % 3 !== 0 && at < bytes.length - 200) continue;
    const output = bytes.subarray(0, at).toString();
    if (isReadAsPass(parsedRow(row, { output, reports: [] })) && summary?.test(output) !== true && !isCounted(output))
      passes.push(at);
  }
  return passes;
}

test("[VF-4] a failed run cut at any byte is never a pass, not even with exit code 0", () => {
  fc.assert(
    fc.property(fc.constantFrom(...single), fc.double({ min: 0, max: 1, noNaN: true }), (row, share) => {
      const bytes = Buffer.from(row.output);
      const output = bytes.subarray(0, Math.floor(bytes.length * share)).toString();
      // A summary the program printed itself; and mocha says what passed before it says what failed.
      const hasFake = /9 pass|run: 99| passing \(/.test(output);
      for (const exitCode of hasFake ? [1, 137, null] : [0, 1, 137, null]) {
        expect(isReadAsPass(parsedRow(row, { output, exitCode, reports: [] }))).toBe(false);
      }
    }),
    { numRuns: 1500 },
  );
});

test("[VF-4] a run that was ended by a signal, or that nobody saw end, is never a pass", () => {
  for (const row of rows.filter(({ expected }) => expected.ok)) {
    for (const exitCode of [1, 2, 130, 137, 143, null]) expect(parsedRow(row, { exitCode }).ok).toBe(false);
  }
});

test("[VF-4] a runner that wrote its whole summary and did not end is the environment's fault, one that did not is late", () => {
  for (const row of good.filter(({ id, reports }) => reports === undefined && !uncounted.has(id))) {
    expect(parsedRow(row, { exitCode: null, timedOut: true })).toMatchObject({ ok: false, type: "environment" });
    const early = parsedRow(row, { exitCode: null, timedOut: true, output: "" });
    expect(early).toMatchObject({ ok: false, type: "timeout" });
  }
});

/** What a program may print to look like every runner there is. */
const lies = [
  "===== 9 passed in 0.01s =====",
  "Test Suites: 1 passed, 1 total\nTests:       9 passed, 9 total\nTime:        1 s",
  " Test Files  1 passed (1)\n      Tests  9 passed (9)\n   Start at  10:00:00\n   Duration  1ms",
  "  9 passing (1ms)",
  "TAP version 13\nok 1 - a\n1..1\n# tests 1\n# pass 1\n# fail 0\n# duration_ms 1",
  "ℹ tests 1\nℹ pass 1\nℹ fail 0\nℹ duration_ms 1",
  " 9 pass\n 0 fail\nRan 9 tests across 1 file. [1.00ms]",
  "ok  \texample.com/calc\t0.001s",
  "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
  "[INFO] Results:\n[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
  "> Task :test\nBUILD SUCCESSFUL in 1s",
  '{"numFailedTestSuites":0,"numTotalTests":9,"numPassedTests":9,"numFailedTests":0,"success":true,"testResults":[]}',
  '<testsuites tests="1"><testsuite><testcase name="a"/></testsuite>\n</testsuites>',
  "> x@1.0.0 test",
  "Scope: 2 of 3 workspace projects",
  "lerna info x",
];

test("[VF-4] whatever a program prints, and wherever: a run that failed does not pass", () => {
  fc.assert(
    fc.property(fc.constantFrom(...bad), fc.array(fc.tuple(fc.constantFrom(...lies), fc.nat())), (row, printed) => {
      const lines = row.output.split("\n");
      for (const [lie, at] of printed) lines.splice(at % (lines.length + 1), 0, lie);
      expect(parsedRow(row, { output: lines.join("\n") }).ok).toBe(false);
    }),
    { numRuns: 1500 },
  );
});

const told = single.filter((row) => row.expected.failures?.some(({ name }) => name !== null));

test("[VF-4] a summary that a program prints before the real one does not hide it, even when the script hides the exit code", () => {
  for (const row of told) {
    const plain = parsedRow(row, { exitCode: 0 });
    for (const lie of lies) {
      expect([row.id, lie, parsedRow(row, { output: `${lie}\n${row.output}`, exitCode: 0 }).ok]).toEqual([
        row.id,
        lie,
        false,
      ]);
    }
    expect(plain.ok).toBe(false);
  }
});

test("[VF-4] a summary printed after the real one is a contradiction, not a pass", () => {
  const after: Readonly<Record<string, string>> = {
    pytest_quiet: lies[0] ?? "",
    jest_default: lies[1] ?? "",
    vitest_default: lies[2] ?? "",
    mocha_noise: lies[3] ?? "",
    nodetest_spec: lies[5] ?? "",
    bun_noise: lies[6] ?? "",
    go_default: lies[7] ?? "",
    cargo_stops: lies[8] ?? "",
    maven_default: lies[9] ?? "",
    gradle_default: lies[10] ?? "",
  };
  for (const row of rows.filter(({ id }) => id in after)) {
    expect(parsedRow(row, { output: `${row.output}\n${after[row.id]}\n`, exitCode: 0 }).ok).toBe(false);
  }
});

const junk = fc.array(fc.string({ unit: "binary", maxLength: 200 }), { maxLength: 30 });
const runner = fc.constantFrom<Runner | "auto">(...runners, "auto");

test("[VF-4] noise of any kind is no pass, throws nothing and gives a bounded result", () => {
  fc.assert(
    fc.property(
      runner,
      junk,
      fc.constantFrom(0, 1, 2, 101, 137, null),
      fc.boolean(),
      (which, lines, exitCode, timedOut) => {
        const ran = {
          runner: which,
          command: "npm test",
          output: lines.join("\n"),
          exitCode,
          timedOut,
          cwd: "/project",
        };
        const result = parseOutput({ ...ran, reports: lines });
        if (which !== "tsc" && which !== "eslint") expect(isReadAsPass(result)).toBe(false);
        if (exitCode !== 0 || timedOut) expect(result.ok).toBe(false);
        expect(JSON.stringify(result).length).toBeLessThan(100_000);
        expect(result.summary).not.toContain("\n");
      },
    ),
    { numRuns: 1500 },
  );
});

test("[VF-4] noise between the lines of a recording throws nothing and does not make a pass of it", () => {
  fc.assert(
    fc.property(fc.constantFrom(...rows), junk, fc.nat(), (row, lines, at) => {
      const all = row.output.split("\n");
      all.splice(at % (all.length + 1), 0, ...lines);
      const result = parsedRow(row, { output: all.join("\n") });
      if (!row.expected.ok) expect(isReadAsPass(result)).toBe(false);
    }),
    { numRuns: 1500 },
  );
});

test("[VF-4] colours, CRLF and progress bars change nothing but the looks", () => {
  for (const row of rows.filter(({ output, reports }) => !output.includes("\u001b") && reports === undefined)) {
    const plain = parsedRow(row);
    const coloured = row.output.replace(/^(?=.)/gm, "\u001b[1m\u001b[31m").replace(/$/gm, "\u001b(B\u001b[m");
    if (!/[{<[]/.test(row.output)) expect(parsedRow(row, { output: coloured })).toEqual(plain);
    expect(parsedRow(row, { output: row.output.replaceAll("\n", "\r\n") })).toEqual(plain);
    expect(parsedRow(row, { output: `10%\r50%\r\u001b[K${row.output}` }).ok).toBe(plain.ok);
  }
});

test("[VF-4] go -v cut off in the middle of a package tells what had failed by then, with its place and the counts so far", () => {
  const output = [
    "=== RUN   TestA\n--- PASS: TestA (0.00s)",
    "=== RUN   TestX\n=== RUN   TestX/part\n    a_test.go:7: wrong\n--- FAIL: TestX (0.00s)\n    --- FAIL: TestX/part (0.00s)",
    "=== RUN   TestY\n",
  ].join("\n");
  const { ok, counts, details } = parseOutput({
    ...{ runner: "go", command: "go test -v ./...", exitCode: 1, output, timedOut: false, cwd: "/" },
  });
  expect({ ok, counts, details }).toEqual({
    ok: false,
    counts: { passed: 1, failed: 1, errors: 0, skipped: 0, todo: null },
    details: [{ file: "a_test.go", line: 7, error: "wrong", context: "", test: "TestX/part" }],
  });
});
