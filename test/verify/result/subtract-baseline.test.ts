import { expect, test } from "bun:test";
import type { VerificationDetail, VerificationResult } from "../../../src/contract/verification.ts";
import { parseOutput } from "../../../src/verify/parse.ts";
import { withoutOld } from "../../../src/verify/result/subtract-baseline.ts";

const detail = (name: string, error: string, line = 1): VerificationDetail => ({
  ...{ file: "a_test.py", line, test: name, error, context: "" },
});

function failing(passed: number, ...details: readonly VerificationDetail[]): VerificationResult {
  return {
    ...{ ok: false, type: "test_failure", command: "pytest -q", exit_code: 1, summary: "some failed" },
    counts: { passed, failed: details.length, errors: 0, skipped: 0, todo: null },
    ...{ details, suggestion: "repair", fingerprint: "f" },
  };
}

test("[VF-5] a failure that was there before, at another line, is old; nothing but old ones is a pass that says so", () => {
  const now = failing(2, detail("old", "assert 1 == 2", 9));
  expect(withoutOld(now, failing(2, detail("old", "assert 1 == 2", 4)), "en")).toEqual({
    ...now,
    ...{ ok: true, type: "pass", details: [], old: now.details, suggestion: "" },
    summary: "some failed; 1 of them also failed before the task",
  });
});

test("[VF-5] what fails in other words than before, or in another test, is the task's", () => {
  const [other, touched] = [detail("new", "assert 1 == 2"), detail("old", "assert 3 == 2")];
  const before = failing(2, detail("old", "assert 1 == 2"));
  expect(withoutOld(failing(2, touched), before, "en")).toEqual(failing(2, touched));
  const mixed = withoutOld(failing(2, other, detail("old", "assert 1 == 2")), before, "en");
  expect([mixed.ok, mixed.type, mixed.details, mixed.old?.length]).toEqual([false, "test_failure", [other], 1]);
});

test("[VF-5] nothing is excused where a list was cut, where the run before says nothing, or where the task has to do with it", () => {
  const one = detail("old", "assert 1 == 2");
  const now = failing(2, one);
  const cut = { ...now, counts: { ...now.counts, failed: 7 } };
  const broken: VerificationResult = { ...now, type: "build_failure" };
  expect(withoutOld(cut, now, "en")).toBe(cut);
  expect([withoutOld(now, cut, "en"), withoutOld(now, broken, "en")]).toEqual([now, now]);
  expect(withoutOld(now, now, "en", () => false)).toBe(now);
});

test("[VF-5] what passed without being counted, such as go's other packages, passed beside old failures too", () => {
  const went = (output: string) =>
    parseOutput({ runner: "go", command: "go test ./...", exitCode: 1, output, timedOut: false, cwd: "/p" });
  const failed = "--- FAIL: TestOld (0.00s)\n    b_test.go:3: old\nFAIL\nFAIL\tp/b\t0.002s\n";
  const beside = went(`ok  \tp/a\t0.002s\n${failed}FAIL\n`);
  expect(withoutOld(beside, beside, "en")).toMatchObject({ ok: true, type: "pass", details: [] });
  const alone = went(`${failed}FAIL\n`);
  expect(withoutOld(alone, alone, "en").type).toBe("environment");
});

test("[VF-5] where nothing passed beside old failures, nothing is known: neither a pass nor the task's failure", () => {
  const one = detail("old", "assert 1 == 2");
  const alone = withoutOld(failing(0, one), failing(2, one), "en");
  expect([alone.ok, alone.type, alone.details, alone.old]).toEqual([false, "environment", [], [one]]);
  const lint = (details: readonly VerificationDetail[]): VerificationResult => ({
    ...failing(0, ...details),
    ...{ type: "lint_failure", counts: { passed: null, failed: null, errors: null, skipped: null, todo: null } },
  });
  expect(withoutOld(lint([one]), lint([one]), "en").type).toBe("environment");
  expect(withoutOld(lint([one, detail("new", "x")]), lint([one]), "en").details.map(({ test: name }) => name)).toEqual([
    "new",
  ]);
});
