import { MAX_DETAILS, type VerificationCounts } from "../../contract/verification.ts";
import { identityOf, markOf } from "../result/fingerprint.ts";

/** `missing`: something outside the project that has to be installed first. */
export type FailureKind = "test" | "build" | "lint" | "missing";

export interface Failure {
  readonly kind: FailureKind;
  readonly test: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly error: string;
  readonly context: string;
}

/** What one reader made of the output. */
export interface OutputReading {
  /** Something only this runner writes was there. */
  readonly isSeen: boolean;
  /** Its summary is there, to the end. */
  readonly isComplete: boolean;
  readonly counts: VerificationCounts;
  readonly failures: FailureList;
  /** It says itself that there was nothing to run. */
  readonly isEmpty: boolean;
  /** What it says in one place does not fit what it says in another. */
  readonly isContradictory: boolean;
  /** It passed without a number: go's `ok`, the silence of a compiler. */
  readonly passedUncounted: boolean;
  /** Some of it did, whatever else failed. */
  readonly hasPassedBeside?: true;
  /** Of a runner that nobody knows: what it says is taken for what it looks like, and its exit code decides. */
  readonly isLoose?: true;
}

export interface Reader {
  line(text: string): void;
  end(): OutputReading;
}

/** What a reader may know besides the output. */
export interface Scene {
  readonly cwd: string;
  readonly command: string;
  /** The output ends in the middle of a line. */
  readonly isOpenEnded: boolean;
  /** Whether a path, relative to `cwd`, is there; `null` when nobody can say. */
  readonly exists: ((path: string) => boolean) | null;
}

const noCounts: VerificationCounts = { passed: null, failed: null, errors: null, skipped: null, todo: null };

export function countsOf(some: Partial<VerificationCounts>): VerificationCounts {
  return { ...noCounts, ...some };
}

export function addCounts(a: VerificationCounts, b: VerificationCounts): VerificationCounts {
  const sum = (x: number | null, y: number | null) => (x === null && y === null ? null : (x ?? 0) + (y ?? 0));
  return {
    passed: sum(a.passed, b.passed),
    failed: sum(a.failed, b.failed),
    errors: sum(a.errors, b.errors),
    skipped: sum(a.skipped, b.skipped),
    todo: sum(a.todo, b.todo),
  };
}

export function brokenIn(counts: VerificationCounts): number {
  return (counts.failed ?? 0) + (counts.errors ?? 0);
}

/** Every failure is counted and marked; only the first are kept. */
export class FailureList {
  readonly kept: Failure[] = [];
  readonly marks = new Set<number>();
  readonly kinds: Record<FailureKind, number> = { test: 0, build: 0, lint: 0, missing: 0 };
  total = 0;
  private readonly known = new Set<number>();

  /** Runners that tell a failure twice, inline and at the end, are counted once. */
  add(failure: Failure): boolean {
    const identity = identityOf(failure);
    if (this.known.has(identity)) return false;
    this.known.add(identity);
    this.marks.add(markOf(failure));
    this.total++;
    this.kinds[failure.kind]++;
    if (this.kept.length < MAX_DETAILS) this.kept.push(failure);
    return true;
  }

  /** What the other did not keep counts all the same. */
  addAll(other: FailureList, change: (failure: Failure) => Failure = (one) => one): void {
    for (const failure of other.kept) this.add(change(failure));
    if (other.total === other.kept.length) return;
    this.total += other.total - other.kept.length;
    for (const mark of other.marks) this.marks.add(mark);
    for (const kind of ["test", "build", "lint", "missing"] as const) {
      this.kinds[kind] = Math.max(this.kinds[kind], other.kinds[kind]);
    }
  }
}

const maxErrorLines = 20;
const maxContextLines = 30;
const maxErrorChars = 2000;
const maxContextChars = 3000;

/** Lines kept while a failure is being told; what goes beyond a person's patience is dropped at once. */
export class Told {
  readonly error: string[] = [];
  readonly context: string[] = [];

  err(line: string): void {
    if (this.error.length < maxErrorLines && (line !== "" || this.error.length > 0))
      this.error.push(line.slice(0, 500));
  }

  ctx(line: string): void {
    if (this.context.length < maxContextLines) this.context.push(line.slice(0, 300));
  }
}

export function clipError(lines: readonly string[] | string): string {
  return clip(typeof lines === "string" ? lines.split("\n", maxErrorLines) : lines, maxErrorLines, maxErrorChars);
}

export function clipContext(lines: readonly string[] | string): string {
  return clip(typeof lines === "string" ? lines.split("\n", maxContextLines) : lines, maxContextLines, maxContextChars);
}

function clip(lines: readonly string[], most: number, chars: number): string {
  const text = lines.slice(0, most).join("\n").slice(0, chars);
  let from = 0;
  while (text.charCodeAt(from) === 0x0a) from++;
  return text.slice(from).trimEnd();
}

/** The summaries of one run: the last one counts, and a broken one before a green one is never forgotten. */
export class Summaries {
  last: VerificationCounts | null = null;
  private brokenBefore = false;

  say(counts: VerificationCounts): void {
    if (this.last !== null && brokenIn(this.last) > 0) this.brokenBefore = true;
    this.last = counts;
  }

  /** A program can print a summary of its own; which of two is the runner's nobody can tell. */
  get isContradictory(): boolean {
    return this.last !== null && brokenIn(this.last) === 0 && this.brokenBefore;
  }
}
