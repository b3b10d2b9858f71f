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
