import { expect, test } from "bun:test";
import type { VerificationResult } from "../../../../src/contract/verification.ts";
import { bare, call, problemsIn, replied, rowsOf, running, settled, Telling } from "../telling.ts";

const result: VerificationResult = {
  ...{ ok: false, type: "test_failure", command: "npm test", exit_code: 1, summary: "2 failed" },
  counts: { passed: 12, failed: 2, errors: 0, skipped: 1, todo: null },
  details: [
    {
      ...{ file: "src/shop/cart.test.ts", line: 41, test: "a cart > adds up" },
      ...{ error: "Expected values to be equal:\n\n5 !== 6", context: "at cart.test.ts:41" },
    },
    { file: null, line: null, test: null, error: "cannot find module ./gone", context: "" },
  ],
  old: [{ file: "old.test.ts", line: 1, test: "was broken", error: "no", context: "" }],
  suggestion: "Repair src/shop/cart.test.ts:41 first.",
  fingerprint: "f",
};

function told(verification: VerificationResult, width: number): Telling {
  const telling = new Telling({ width });
  telling.hear(replied({ calls: [call("diagnostics", { command: "npm test" })] }), running());
  const data = { command: "npm test", exit_code: 1, stdout: "noise\n", stderr: "", verification };
  telling.hear(settled({ status: verification.ok ? "done" : "failed", ms: 4_200, data }));
  telling.take();
  return telling;
}

test("[VF-4] a check that passed is one line with its counts", () => {
  const counts = { passed: 12, failed: 0, errors: 0, skipped: 1, todo: null };
  expect(told({ ...result, ok: true, type: "pass", counts, details: [], old: [] }, 80).text).toBe(
    "✓ Check npm test  12 passed, 1 skipped · 4.2 s",
  );
});

test("[VF-4] failures are a table: place, test and message, each in its column", () => {
  expect(told(result, 90).text.split("\n")).toEqual([
    "✗ Check npm test  12 passed, 2 failed, 1 skipped · 4.2 s",
    "  src/shop/cart.test.ts:41  a cart > adds up  Expected values to be equal:",
    "                                              5 !== 6",
    "                                              cannot find module ./gone",
    "  1 also failed before the task",
    "  → Repair src/shop/cart.test.ts:41 first.",
  ]);
});

test("[VF-4] in a narrow terminal they stand one below the other, and nothing is wider than it", () => {
  const narrow = told(result, 40);
  expect(narrow.text.split("\n").slice(1, 5)).toEqual([
    ...["  src/shop/cart.test.ts:41", "  a cart > adds up", "    Expected values to be equal:", "    5 !== 6"],
  ]);
  for (const width of [20, 33, 40, 64, 65, 66, 67, 80, 200]) {
    const telling = told(result, width);
    expect(problemsIn(telling.committed, width)).toEqual([]);
    for (const detail of telling.feed.details()) expect(problemsIn(rowsOf(detail, width), width)).toEqual([]);
  }
});

test("[VF-4] of many failures the first are shown, and all of them in full", () => {
  const details = Array.from({ length: 30 }, (_, at) => ({
    ...{ file: `t${at}.ts`, line: at, test: `test ${at}`, error: `broke ${at}`, context: `around ${at}` },
  }));
  const telling = told({ ...result, details, old: [] }, 90);
  expect(telling.text).toContain("… 20 more failures (Ctrl+O)");
  const whole = bare(rowsOf(telling.feed.details()[0], 90)).join("\n");
  for (const { error, context } of details) expect(whole).toContain(`${error}\n${context}\n`);
});

test("[VF-4] one that says nothing about the code shows what it wrote", () => {
  expect(told({ ...result, type: "environment", details: [], old: [], suggestion: "" }, 80).text).toContain("  noise");
});
