import type { Phrase } from "./text/catalogue.ts";

/** Programs whose output can be parsed; `other`: counts and failures are recognised by their form. */
export const runners = [
  ...(["pytest", "jest", "vitest", "mocha", "node:test", "bun"] as const),
  ...(["go", "cargo", "surefire", "gradle", "eslint", "tsc", "other"] as const),
] as const;
export type Runner = (typeof runners)[number];

/** `environment`: says nothing about the code, e.g. missing runner, bad option, no tests, sandbox denial. */
type VerificationType = "pass" | "test_failure" | "lint_failure" | "build_failure" | "environment" | "timeout";

/** `null` = the runner did not say. */
export interface VerificationCounts {
  readonly passed: number | null;
  readonly failed: number | null;
  /** Failures outside of tests: collection, setup, a suite that does not load. */
  readonly errors: number | null;
  readonly skipped: number | null;
  readonly todo: number | null;
}

export interface VerificationDetail {
  /** Relative to the working directory, if inside. */
  readonly file: string | null;
  readonly line: number | null;
  readonly error: string;
  readonly context: string;
  readonly test: string | null;
}

export interface Check {
  readonly command: string;
  /** Relative to the workspace; "" = the workspace itself. */
  readonly cwd: string;
  readonly runner: Runner | "auto";
  /** A failure makes the task FAILED. */
  readonly required: boolean;
  /** `false` = later checks run even if it fails. */
  readonly stopOnFail: boolean;
  /** VF-2: not on the list of allowed commands, so it needs the user's approval. */
  readonly offer?: Offer;
  /** Approved for the rest of the task. */
  readonly isAgreed?: true;
  /** VF-2: not on the list either, but the plain form of the project's tests: runs without asking, only in the sandbox. */
  readonly isPlain?: true;
  /** Hidden files that it failed without; the user is asked to show them. */
  readonly shows?: readonly string[];
}

/** A detected command that the user may add to the list. */
export interface Offer {
  readonly why: Phrase;
  /** The project script behind it, if any. */
  readonly script?: string;
}

export interface LeftOut {
  readonly cwd: string;
  readonly why: Phrase;
  readonly advice?: Phrase;
  /** A command that the plan requires but that may not run, so nothing counts as verified. */
  readonly needed?: string;
  readonly result?: VerificationResult;
}

/** `file:line: test: `, as far as known. */
export function placeOf({ file, line, test }: VerificationDetail): string {
  const place = file === null ? "" : `${file}${line === null ? "" : `:${line}`}: `;
  return test === null ? place : `${place}${test}: `;
}

/** Equal failures of one test or place. */
export interface Fold {
  readonly first: VerificationDetail;
  readonly others: readonly VerificationDetail[];
}

/** Groups the failures of a parametrised test. Every failure is in exactly one fold. */
export function foldDetails(details: readonly VerificationDetail[]): readonly Fold[] {
  return [...Map.groupBy(details, (one, index) => foldKey(one) ?? `${index}`).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others }],
  );
}

const maxNames = 8;

/** The names of the others, with their message if it differs. */
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

/** Equal for the same test apart from parameters, or the same line, with the same kind of error: the words before the first value. */
function foldKey({ file, line, test, error }: VerificationDetail): string | null {
  if (test === null || (file === null && line === null)) return null;
  const head = headOf(error);
  const kind = /^[\w.]*(?:Error|Exception|Failure)\b/.exec(head)?.[0] ?? head.replace(/(["'`]).*?\1|[\d.]+/g, "#");
  const where = line === null ? test.replace(/\[.*\]$|\/#?\d+$/s, "") : line;
  return JSON.stringify([file, where, kind]);
}

/** VF-4, with the field names of the JSON that people read. */
export interface VerificationResult {
  readonly ok: boolean;
  readonly type: VerificationType;
  readonly command: string;
  readonly exit_code: number | null;
  /** One line, in the user's language if it is ours. */
  readonly summary: string;
  readonly counts: VerificationCounts;
  /** At most `MAX_DETAILS`; the counts are complete. */
  readonly details: readonly VerificationDetail[];
  readonly suggestion: string;
  /** Equal for the same set of failures, regardless of order, line numbers and times. */
  readonly fingerprint: string;
  /** The verdict rests on the exit code alone, because the output counts no tests. */
  readonly evidence?: "exit_code";
  /** Something passed without being counted, as with go's `ok`. */
  readonly passed_uncounted?: true;
  /** The started program: relative to the workspace, or absolute. */
  readonly program?: string;
  /** From an earlier run, since which no file has changed. */
  readonly reused?: true;
  /** Failed before the task too: not its fault, and not in `details`. */
  readonly old?: readonly VerificationDetail[];
}

export const MAX_DETAILS = 50;
