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

export interface OutputReading {
  /** The output contains something that only this runner writes. */
  readonly isSeen: boolean;
  /** The summary is there, to its end. */
  readonly isComplete: boolean;
  readonly counts: VerificationCounts;
  readonly failures: FailureList;
  /** The runner itself says that there was nothing to run. */
  readonly isEmpty: boolean;
  /** Two parts of the output contradict each other. */
  readonly isContradictory: boolean;
  /** It passed without a number: go's `ok`, the silence of a compiler. */
  readonly passedUncounted: boolean;
  /** Some packages passed, whatever else failed. */
  readonly hasPassedBeside?: true;
  /** From an unknown runner: the text is read by its looks, and the exit code decides. */
  readonly isLoose?: true;
}

export interface Reader {
  line(text: string): void;
  end(): OutputReading;
}

export interface Scene {
  readonly cwd: string;
  readonly command: string;
  readonly isOpenEnded: boolean;
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

/** Counts and marks every failure, but keeps only the first ones. */
export class FailureList {
  readonly kept: Failure[] = [];
  readonly marks = new Set<number>();
  readonly kinds: Record<FailureKind, number> = { test: 0, build: 0, lint: 0, missing: 0 };
  total = 0;
  private readonly known = new Set<number>();

  /** Runners may print a failure twice, inline and at the end; it counts once. */
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

  /** Failures that the other list did not keep still count. */
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

export class Excerpt {
  readonly errorLines: string[] = [];
  private readonly contextLines: string[] = [];

  err(line: string): void {
    if (this.errorLines.length < maxErrorLines && (line !== "" || this.errorLines.length > 0))
      this.errorLines.push(line.slice(0, 500));
  }

  ctx(line: string): void {
    if (this.contextLines.length < maxContextLines) this.contextLines.push(line.slice(0, 300));
  }

  get error(): string {
    return clipError(this.errorLines);
  }

  get context(): string {
    return clipContext(this.contextLines);
  }
}

/** The message before the first line of a trace, and as context the lines from there that `keeps` accepts. */
export function excerptOf(lines: readonly string[], trace: RegExp, keeps = (_line: string) => true): Excerpt {
  const excerpt = new Excerpt();
  let isMessage = true;
  for (const line of lines) {
    isMessage &&= !trace.test(line);
    if (isMessage) excerpt.err(line);
    else if (line !== "" && keeps(line)) excerpt.ctx(line);
  }
  return excerpt;
}

export function clipError(lines: readonly string[] | string): string {
  return clip(typeof lines === "string" ? lines.split("\n", maxErrorLines) : lines, maxErrorLines, maxErrorChars);
}

export function clipContext(lines: readonly string[]): string {
  return clip(lines, maxContextLines, maxContextChars);
}

function clip(lines: readonly string[], most: number, chars: number): string {
  const text = lines.slice(0, most).join("\n").slice(0, chars);
  let from = 0;
  while (text.charCodeAt(from) === 0x0a) from++;
  return text.slice(from).trimEnd();
}

/** The summaries of one run. The last one counts, but a broken one before a green one is a contradiction. */
class Summaries {
  last: VerificationCounts | null = null;
  private brokenBefore = false;

  say(counts: VerificationCounts): void {
    if (this.last !== null && brokenIn(this.last) > 0) this.brokenBefore = true;
    this.last = counts;
  }

  /** A program can print a summary too, and nothing tells it from the runner's. */
  get isContradictory(): boolean {
    return this.last !== null && brokenIn(this.last) === 0 && this.brokenBefore;
  }
}

export abstract class SummaryReader implements Reader {
  protected readonly scene: Scene;
  protected list = new FailureList();
  protected readonly summaries = new Summaries();
  protected isSeen = false;
  protected isEmpty = false;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  abstract line(text: string): void;
  abstract end(): OutputReading;

  /** Without a summary the run is incomplete, unless the runner said that there are no tests. */
  protected reading(own: Partial<OutputReading> = {}): OutputReading {
    const counts = this.summaries.last;
    return {
      isSeen: this.isSeen,
      isComplete: counts !== null || this.isEmpty,
      counts: counts ?? countsOf(this.isEmpty ? { passed: 0, failed: 0 } : {}),
      failures: this.list,
      isEmpty: this.isEmpty && counts === null,
      isContradictory: this.summaries.isContradictory,
      passedUncounted: false,
      ...own,
    };
  }
}
