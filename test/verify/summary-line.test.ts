import { expect, test } from "bun:test";
import { countedIn } from "../../src/verify/parse/other/summary-line.ts";

/** As the runners write it, in their own documents and in what was recorded. */
const summaries: readonly (readonly [line: string, fields: Readonly<Record<string, number>>])[] = [
  ["3 specs, 1 failure, 1 pending spec", { total: 3, failed: 1, skipped: 1 }],
  ["  2 tests failed", { failed: 2 }],
  ["1 uncaught exception", { errors: 1 }],
  ["3 runs, 3 assertions, 1 failures, 0 errors, 0 skips", { total: 3, failed: 1, errors: 0, skipped: 0 }],
  ["OK (3 tests, 3 assertions)", { total: 3 }],
  ["Tests: 3, Assertions: 3, Failures: 1.", { total: 3, failed: 1 }],
  ["  Passed:    1", { passed: 1 }],
  ["# pass  2", { passed: 2 }],
  ["ok | 1 passed (2 steps) | 0 failed (12ms)", { passed: 1, failed: 0 }],
  ["FAILED | 1 passed | 1 failed (12ms)", { passed: 1, failed: 1 }],
  [
    "Failed!  - Failed:     1, Passed:     2, Total:     3, Duration: 5 ms - x.dll (net8.0)",
    { failed: 1, passed: 2, total: 3 },
  ],
  ["67% tests passed, 1 tests failed out of 3", { failed: 1, total: 3 }],
  ["3 successes / 0 failures / 0 errors / 0 pending : 0.001 seconds", { passed: 3, failed: 0, errors: 0, skipped: 0 }],
  ["Chrome 118 (Linux): Executed 3 of 3 SUCCESS (0.014 secs / 0.002 secs)", { total: 3, passed: 3 }],
  ["Chrome 118 (Linux): Executed 2 of 3 (skipped 1) SUCCESS (0.01 secs / 0 secs)", { total: 3, skipped: 1 }],
  ["TOTAL: 2 FAILED, 1 SUCCESS", { failed: 2, passed: 1 }],
  ["Executed 3 tests, with 1 failure (0 unexpected) in 0.002 (0.004) seconds", { total: 3, failed: 1 }],
  ["passed: 2  failed: 2  of 4 tests  (91ms)", { passed: 2, failed: 2, total: 4 }],
  ["[  PASSED  ] 3 tests.", { passed: 3 }],
  ["[  FAILED  ] 1 test, listed below:", { failed: 1 }],
  ["test cases: 3 | 2 passed | 1 failed", { total: 3, passed: 2, failed: 1 }],
  ["3 scenarios (1 failed, 2 passed)", { total: 3, failed: 1, passed: 2 }],
  ["# { total: 2, pass: 1, fail: 1 }", { total: 2, passed: 1, failed: 1 }],
  ["[ FAIL 0 | WARN 0 | SKIP 0 | PASS 3 ]", { failed: 0, skipped: 0, passed: 3 }],
  ["All 3 tests passed.", { passed: 3 }],
  ["Cases: 3  Tried: 3  Errors: 0  Failures: 0", { total: 3, errors: 0, failed: 0 }],
  ["Ran 4 tests in 0.001s", { total: 4 }],
  ["FAILED (failures=1, errors=1, skipped=1)", { failed: 1, errors: 1, skipped: 1 }],
  ["2/3 tests passed", { total: 3, passed: 2 }],
  ["通过 3，失败 1", { passed: 3, failed: 1 }],
];

test("[VF-4] a line that sums up tests is read, whichever runner wrote it", () => {
  for (const [line, fields] of summaries) expect([line, countedIn(line)?.fields]).toEqual([line, fields]);
});

test("[VF-4] a line with numbers that sums up something else is none", () => {
  const others = [
    "Randomized with seed 40743",
    "Finished in 0.013 seconds",
    "12 files changed, 3 insertions(+)",
    "9 steps (1 failed, 8 passed)",
  ];
  const more = [
    "assertions: 3 | 2 passed | 1 failed",
    "listening on port 3000",
    "Duration:  2.32ms",
    "failed to read 3 files from disk",
    "x".repeat(5000),
  ];
  expect([...others, ...more].filter((line) => countedIn(line) !== null)).toEqual([]);
});

test("[VF-4] a program's own count of errors is not taken for a summary of tests", () => {
  for (const line of ["2 errors", "error: 1", "2 failed", "skipped 3"])
    expect(countedIn(line)?.isOfTests ?? false).toBe(false);
});
