// Reading 10 MB of what test programs print, in their verbose forms, with a failure in the middle.
import { parseOutput } from "../src/verify/parse.ts";

const bytes = 10_000_000;

interface Form {
  readonly command: string;
  readonly line: (at: number) => string;
  readonly failure: string;
  readonly end: string;
}

const forms: readonly Form[] = [
  {
    command: "pytest -v",
    line: (at) => `tests/test_part_${at % 90}.py::TestThing::test_number_${at} PASSED [ 12%]`,
    failure:
      "=================================== FAILURES ===================================\n____________ test_x ____________\n\n    def test_x():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:3: AssertionError",
    end: "=========================== short test summary info ============================\nFAILED tests/test_a.py::test_x - assert 1 == 2\n================== 1 failed, 99999 passed in 12.34s ==================",
  },
  {
    command: "go test -v ./...",
    line: (at) => `=== RUN   TestNumber${at}\n--- PASS: TestNumber${at} (0.00s)`,
    failure: "=== RUN   TestX\n    a_test.go:7: wrong\n--- FAIL: TestX (0.00s)",
    end: "FAIL\nFAIL\texample.com/a\t0.010s\nFAIL",
  },
  {
    command: "npx jest --verbose",
    line: (at) => `    \u2713 does the thing number ${at} as it should (${at % 9} ms)`,
    failure:
      "    \u2715 breaks (3 ms)\n\n  \u25cf things \u203a breaks\n\n    expect(received).toBe(expected)\n\n      at Object.<anonymous> (src/a.test.js:5:13)\n",
    end: "Test Suites: 1 failed, 90 passed, 91 total\nTests:       1 failed, 99999 passed, 100000 total\nTime:        12.3 s",
  },
];

/** Milliseconds of the slowest form in each round. */
export function timeParsing(rounds: number): readonly number[] {
  const outputs = forms.map((form) => ({ command: form.command, output: outputOf(form) }));
  return Array.from({ length: rounds }, () => Math.max(...outputs.map(timeOne)));
}

function timeOne({ command, output }: { readonly command: string; readonly output: string }): number {
  const started = performance.now();
  const { details } = parseOutput({ runner: "auto", command, exitCode: 1, output, timedOut: false, cwd: "/" });
  const ms = performance.now() - started;
  if (details.length !== 1) throw new Error(`${command}: ${details.length} failures were read, not 1`);
  return ms;
}

function outputOf({ line, failure, end }: Form): string {
  const lines: string[] = [];
  let size = 0;
  for (let at = 0; size < bytes; at++) {
    lines.push(line(at));
    size += (lines.at(-1)?.length ?? 0) + 1;
  }
  lines.splice(lines.length / 2, 0, failure);
  return `${lines.join("\n")}\n${end}\n`;
}
