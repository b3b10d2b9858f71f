// What reading 10 MB of test output costs, for every runner: noise of the program with one summary at its end.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseOutput } from "../src/verify/parse.ts";

export interface ParseCost {
  readonly recording: string;
  /** Milliseconds; the middle of several. */
  readonly ms: number;
}

const size = 10 * 1024 * 1024;
const recordings = [
  ...["pytest_quiet", "jest_default", "vitest_default", "mocha_noise", "nodetest_tap_multi", "bun_noise", "go_default"],
  ...["cargo_stops", "maven_default", "gradle_default", "eslint_stylish", "tsc_plain"],
];

function noise(): string {
  const lines = Array.from({ length: 60 }, (_, n) => [
    `2026-01-01T00:00:00Z INFO  server: handled request ${n} in 12 ms status=200`,
    `    at doSomething (/project/src/file${n}.js:12:5)`,
    `  ✓ does the thing number ${n} (3 ms)`,
    "",
  ]).flat();
  const text = `${lines.join("\n")}\n`;
  return text.repeat(Math.ceil(size / text.length));
}

export function timeParsing(rounds: number): readonly ParseCost[] {
  const before = noise();
  const rows = readFileSync(
    join(import.meta.dir, "..", "test", "verify", "fixtures", "runner-output.jsonl"),
    "utf8",
  ).trim();
  const known = new Map(
    rows
      .split("\n")
      .map((row) => JSON.parse(row))
      .map((row) => [row.id, row]),
  );
  return recordings.map((recording) => {
    const { command, exit_code, output } = known.get(recording);
    const ran = { runner: "auto", command, exitCode: exit_code, timedOut: false, cwd: "/project" } as const;
    const times = Array.from({ length: rounds }, () => {
      const started = performance.now();
      parseOutput({ ...ran, output: before + output });
      return performance.now() - started;
    });
    return { recording, ms: times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0 };
  });
}

if (import.meta.main) {
  for (const { recording, ms } of timeParsing(5)) process.stdout.write(`${recording.padEnd(20)} ${ms.toFixed(0)} ms\n`);
}
