// What runners wrote: rows of the two fixture files, as one shape.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VerificationCounts, VerificationResult } from "../../src/contract/verification.ts";
import { parseOutput, type Ran } from "../../src/verify/parse.ts";

export interface ExpectedFailure {
  readonly name: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly message_contains: string;
  readonly message_also_contains?: string;
}

export interface Row {
  readonly id: string;
  readonly tool: string;
  readonly command: string;
  readonly exit_code: number | null;
  readonly output: string;
  readonly timed_out?: boolean;
  readonly reports?: readonly string[];
  readonly expected: {
    readonly ok: boolean;
    readonly type?: VerificationResult["type"];
    readonly counts: Partial<VerificationCounts>;
    readonly failures: readonly ExpectedFailure[] | null;
  };
}

type First = Omit<Row, "command" | "expected"> & {
  readonly argv: readonly string[];
  readonly expected: Readonly<Record<string, unknown>> & { readonly failures?: readonly ExpectedFailure[] };
};

function linesIn<T>(file: string): readonly T[] {
  const text = readFileSync(join(import.meta.dir, "fixtures", file), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

const counted = ["passed", "failed", "errors", "skipped", "todo"] as const;

function fromFirst({ argv, expected, ...row }: First): Row {
  const counts = Object.fromEntries(counted.filter((key) => key in expected).map((key) => [key, expected[key]]));
  const ok = expected.failures?.length === 0 && expected.no_tests_ran !== true;
  return { ...row, command: argv.join(" "), expected: { ok, counts, failures: expected.failures ?? null } };
}

export const rows: readonly Row[] = [
  ...linesIn<First>("test-runner-output.jsonl").map(fromFirst),
  ...linesIn<Row>("runner-output.jsonl"),
];

/** `go test`, `maven surefire` and `maven` are the same tool as `go` and `surefire`. */
export function byTool(some: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(some, ({ tool }) => tool.replace(/ test$/, "").replace(/^maven.*/, "surefire"));
}

function ranOf(row: Row, more: Partial<Ran> = {}): Ran {
  return {
    runner: "auto",
    command: row.command,
    exitCode: row.exit_code,
    output: row.output,
    timedOut: row.timed_out ?? false,
    cwd: "/project",
    ...(row.reports === undefined ? {} : { reports: row.reports }),
    ...more,
  };
}

export function parsedRow(row: Row, more: Partial<Ran> = {}): VerificationResult {
  return parseOutput(ranOf(row, more));
}

export function rowNamed(id: string): Row {
  const found = rows.find((row) => row.id === id);
  if (found === undefined) throw new Error(`no recording ${id}`);
  return found;
}
