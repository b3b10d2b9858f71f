// Reading the counts that `bun test` prints at its end. Its JUnit report is no use here: it leaves out files that fail to load.
import { stripVTControlCharacters } from "node:util";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function readSummary(output: string, exitCode: number): Counts {
  const lines = stripVTControlCharacters(output).trimEnd().split("\n");
  const end = lines.findLastIndex((line) => /^Ran \d+ tests? across/.test(line));
  // The summary is the block of indented counts right above; what a test printed earlier must not be taken for it.
  const start = lines.findLastIndex((line, index) => index < end && !/^ *\d+ /.test(line)) + 1;
  const block = end < 0 ? [] : lines.slice(start, end);
  const count = (word: string): number =>
    block.reduce((sum, line) => sum + Number(new RegExp(`^ *(\\d+) ${word}$`).exec(line)?.[1] ?? 0), 0);
  const failed = count("fail");
  return {
    passed: count("pass"),
    // A crash of the runner, or no test found, leaves no count behind.
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: count("skip") + count("todo"),
  };
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export function showCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
