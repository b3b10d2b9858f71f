import type { Phrase } from "./text/catalogue.ts";

/** Programs whose output can be read. */
export type Runner =
  | "pytest"
  | "jest"
  | "vitest"
  | "mocha"
  | "node:test"
  | "bun"
  | "go"
  | "cargo"
  | "surefire"
  | "gradle"
  | "eslint"
  | "tsc"
  /** Any other: its counts and failures are read by what they look like. */
  | "other";

export const runners: readonly Runner[] = [
  ...(["pytest", "jest", "vitest", "mocha", "node:test", "bun"] as const),
  ...(["go", "cargo", "surefire", "gradle", "eslint", "tsc", "other"] as const),
];

/** `environment`: says nothing about the code: runner missing, bad option, no tests found, denied by the sandbox. */
type VerificationType = "pass" | "test_failure" | "lint_failure" | "build_failure" | "environment" | "timeout";

/** `null` = the runner did not say. */
export interface VerificationCounts {
  readonly passed: number | null;
  readonly failed: number | null;
  /** Broken before the test itself: collection, setup, a suite that does not load. */
  readonly errors: number | null;
  readonly skipped: number | null;
  readonly todo: number | null;
}

export interface VerificationDetail {
  /** Relative to the folder the command ran in, where it lies inside. */
  readonly file: string | null;
  readonly line: number | null;
  /** What went wrong, in a few lines. */
  readonly error: string;
  /** What stood around it: code, values, the way there. */
  readonly context: string;
  /** Full name, from the outermost group to the test. */
  readonly test: string | null;
}

/** One command that verifies, and what its result means for the task. */
export interface Check {
  readonly command: string;
  /** Below the workspace; "" = the workspace itself. */
  readonly cwd: string;
  readonly runner: Runner | "auto";
  /** Its failure makes the task FAILED. */
  readonly required: boolean;
  /** `false`: the checks after it run whatever it says. */
  readonly stopOnFail: boolean;
  /** Not on the list: it runs only after a yes of the person's (VF-2). */
  readonly offer?: Offer;
  /** The same after that yes, for the rest of the task. */
  readonly isAgreed?: true;
  /** Not on the list either: the plain form of the project's own tests, which runs by itself, but only in the sandbox (VF-2). */
  readonly isPlain?: true;
  /** Hidden files that it failed without, and that the person is asked to show it. */
  readonly shows?: readonly string[];
}

/** A command that was detected and that the person may add to the list. */
export interface Offer {
  readonly why: Phrase;
  /** What the project's own script behind it says, where there is one. */
  readonly script?: string;
}

/** A project or command beside the checks that nothing is run for. */
export interface LeftOut {
  readonly cwd: string;
  readonly why: Phrase;
  readonly advice?: Phrase;
  /** A command that the plan requires and that may not run: without it nothing counts as verified. */
  readonly needed?: string;
  /** Of such a command: that it did not run, as a result. */
  readonly result?: VerificationResult;
}

/** `file:line: test: `, as far as it is known. */
export function placeOf({ file, line, test }: VerificationDetail): string {
  const place = file === null ? "" : `${file}${line === null ? "" : `:${line}`}: `;
  return test === null ? place : `${place}${test}: `;
}

/** Failures that say the same of one test or one place. */
export interface Fold {
  readonly first: VerificationDetail;
  readonly others: readonly VerificationDetail[];
}

/** A test that fails for many parameters is told once, and the others named. Every failure is in exactly one fold. */
export function foldDetails(details: readonly VerificationDetail[]): readonly Fold[] {
  return [...Map.groupBy(details, (one, index) => foldKey(one) ?? `${index}`).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others }],
  );
}

const maxNames = 8;

/** The names of the others, and what they say where it is something else. */
export function namesIn({ first, others }: Fold): string {
  const names = others.slice(0, maxNames).map(({ test, error }) => {
    const name = (test ?? "").slice(0, 120).replace(/\s+/g, " ");
    return headOf(error) === headOf(first.error) ? name : `${name}: ${headOf(error).slice(0, 120)}`;
  });
  return [...names, ...(others.length > maxNames ? ["…"] : [])].join("; ");
}

function headOf(error: string): string {
  return error.split("\n", 1)[0] ?? "";
}

/** The same test but for its parameters, or the same line, and the same kind of error: the words before its first values. */
function foldKey({ file, line, test, error }: VerificationDetail): string | null {
  if (test === null || (file === null && line === null)) return null;
  const head = headOf(error);
  const kind = /^[\w.]*(?:Error|Exception|Failure)\b/.exec(head)?.[0] ?? head.replace(/(["'`]).*?\1|[\d.]+/g, "#");
  const where = line === null ? test.replace(/\[.*\]$|\/#?\d+$/s, "") : line;
  return JSON.stringify([file, where, kind]);
}

/** VF-4. The names are those of the JSON that people read. */
export interface VerificationResult {
  readonly ok: boolean;
  readonly type: VerificationType;
  readonly command: string;
  readonly exit_code: number | null;
  /** One line, in the person's language where it is ours. */
  readonly summary: string;
  readonly counts: VerificationCounts;
  /** At most `MAX_DETAILS`; the counts say how many there were. */
  readonly details: readonly VerificationDetail[];
  readonly suggestion: string;
  /** The same for the same set of failures, whatever their order, line numbers and times. */
  readonly fingerprint: string;
  /** Set where the verdict rests on the exit code alone: the output counts no tests. */
  readonly evidence?: "exit_code";
  /** Something passed beside what failed, and was not counted: go's `ok`. */
  readonly passed_uncounted?: true;
  /** What was started for it: below the workspace, or a whole path. */
  readonly program?: string;
  /** Of an earlier run: no file has changed since. */
  readonly reused?: true;
  /** Failed before the task too: not its fault, and not among the details. */
  readonly old?: readonly VerificationDetail[];
}

export const MAX_DETAILS = 50;
