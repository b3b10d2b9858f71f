// Program repair: try the likeliest small change, run the tests, keep it if they pass, revert it if they do not.
import { phrase } from "../contract/text/catalogue.ts";
import { type Checked, check } from "./check.ts";
import { applied, type Candidate, candidatesFor } from "./find/candidates.ts";
import type { Kind } from "./find/kind.ts";
import { firstLook } from "./first-look.ts";
import type { Ask, Play } from "./play.ts";
import type { Project } from "./project.ts";
import { putBack } from "./put-back.ts";
import { countsIn, type Failure, nameOf, type Report } from "./report.ts";
import type { Scene } from "./scene.ts";
import { type Screened, screen } from "./screen/screen.ts";
import { type Source, sourceOf } from "./text/outline.ts";
import { editAsk } from "./text/rewrite.ts";
import { attempt, type Facts, fixed, notFixed, say } from "./words.ts";

const maxTries = 60;
const leastWeight = 0.03;
/** Several faults: one repair after another, as long as each makes more tests pass. */
const maxRounds = 5;
/** Changes that passed the screening and are tried in earnest. */
const maxSurvivors = 3;

export function* fix(facts: Facts): Play {
  const look = yield* firstLook(facts, "mechanic.nothing_to_fix");
  if (look.kind === "done") return look.said;
  const { project, report, scene } = look;
  if (scene === null) return { unsolved: say(facts, phrase("mechanic.stopped")) };
  return yield* new Repair(facts, project, report, scene).run();
}

interface Tried {
  readonly candidate: Candidate;
  readonly report: Report;
}

type End = { readonly kind: "fixed" | "stopped" | "exhausted" } | { readonly kind: "refused"; readonly why: string };

class Repair {
  private readonly facts: Facts;
  private readonly project: Project;
  private readonly first: Report;
  private scene: Scene;
  private base: Report;
  /** The change in the files that is not in `scene`. */
  private applied: Candidate | null = null;
  /** A try that was made although the one before it could not be reverted. */
  private stray: Candidate | null = null;
  /** Changes that stay because fewer tests fail with them. */
  private readonly kept: Candidate[] = [];
  private best: Tried | null = null;
  /** Changes that were tried, most of them in a screening, and those that were tried in earnest. */
  private tries = 0;
  private checks = 0;

  constructor(facts: Facts, project: Project, report: Report, scene: Scene) {
    this.facts = facts;
    this.project = project;
    this.first = report;
    this.base = report;
    this.scene = scene;
  }

  *run(): Play {
    let end = yield* this.search();
    for (let round = 1; round < maxRounds && end.kind === "exhausted"; round++) {
      if (this.best === null || this.checks >= maxTries) break;
      end = yield* this.continueWith(this.best);
    }
    if (end.kind === "fixed") return fixed(this.facts, this.kept, this.tries, this.base.summary);
    const notBack = yield* putBack(this.facts, this.backAsks());
    if (notBack !== null) return { unsolved: notBack };
    const candidates = candidatesFor(this.scene, this.base, this.facts.request);
    const why = end.kind === "refused" ? end.why : null;
    const partly = this.best === null ? this.kept : [...this.kept, this.best.candidate];
    const { first, tries } = this;
    const isStopped = end.kind === "stopped";
    return { unsolved: notFixed(this.facts, { first, tries, why, isStopped, partly, candidates }) };
  }

  /** For several faults: the repair of one stays while the next is searched. */
  private *continueWith(best: Tried): Play<End> {
    const asks = this.changeAsks(best.candidate);
    const answers = yield { text: attempt(this.facts, this.tries, best.candidate), asks };
    if (answers === "stop") return { kind: "stopped" };
    const failed = answers.find(({ error }) => error !== null);
    if (failed !== undefined) {
      const made = asks.filter((_, at) => answers[at]?.error === null);
      this.noteMade(best.candidate, asks, made);
      return { kind: "refused", why: failed.text };
    }
    this.keep(best);
    return yield* this.search();
  }

  /** If one of several faults may already be repaired, some tries are reserved for the others. */
  private hasTriesLeft(): boolean {
    return this.checks < (this.best !== null && this.kept.length === 0 ? maxTries * 0.75 : maxTries);
  }

  private *search(): Play<End> {
    const { all } = candidatesFor(this.scene, this.base, this.facts.request);
    const screened = yield* screen(this.facts, this.project, this.base, all);
    if (screened === "stop") return { kind: "stopped" };
    return screened === null ? yield* this.oneByOne(all) : yield* this.confirm(screened);
  }

  /** The whole suite, for what passed the screening. */
  private *confirm({ tried, survivors, better }: Screened): Play<End> {
    this.tries += tried;
    const likely = survivors.toSorted((a, b) => trusted(b) - trusted(a));
    for (const next of [...likely.slice(0, maxSurvivors), ...(survivors.length === 0 ? better.slice(0, 1) : [])]) {
      const done = yield* this.tryOne(next, new Map());
      if (done !== null) return done;
    }
    return { kind: "exhausted" };
  }

  private *oneByOne(all: readonly Candidate[]): Play<End> {
    const open = new Set(all);
    const lines = new Map<string, Line>();
    while (this.hasTriesLeft()) {
      const next = likeliest(open, lines);
      if (next === null) break;
      open.delete(next);
      this.tries++;
      const done = yield* this.tryOne(next, lines);
      if (done !== null) return done;
    }
    return { kind: "exhausted" };
  }

  /** `null`: this one repairs not everything, and the next may be tried. */
  private *tryOne(next: Candidate, lines: Map<string, Line>): Play<End | null> {
    const tried = yield* this.attempt(next);
    if (tried.kind !== "report")
      return tried.kind === "stop" ? { kind: "stopped" } : { kind: "refused", why: tried.why };
    const { report } = tried;
    if (report.kind === "passed" && hasRunAll(this.first, report)) {
      this.keep({ candidate: next, report });
      return { kind: "fixed" };
    }
    this.learn({ candidate: next, report }, lines);
    return null;
  }

  private *attempt(candidate: Candidate): Play<Checked> {
    const text = attempt(this.facts, Math.max(1, this.tries), candidate);
    const asks = this.changeAsks(candidate);
    const result = yield* check(this.project, text, this.first, asks);
    this.noteMade(candidate, asks, result.kind === "stop" ? [] : result.kind === "refused" ? result.made : asks);
    if (result.kind === "report") this.checks++;
    return result;
  }

  /** The last call is the change itself; calls that failed left the files as they were. */
  private noteMade(candidate: Candidate, asks: readonly Ask[], made: readonly Ask[]): void {
    if (made.length === asks.length) this.applied = candidate;
    else if (made.includes(asks.at(-1)!)) this.stray = candidate;
    else if (made.length > 0) this.applied = null;
  }

  /** From the files' current state to this change; a change in another file is reverted first. */
  private changeAsks(next: Candidate): readonly Ask[] {
    const { source } = next;
    const now = this.applied;
    const after = applied(source.text, next);
    if (now !== null && now.source.path === source.path)
      return [editAsk(source.path, applied(now.source.text, now), after)];
    return [...this.revertAsks(), editAsk(source.path, source.text, after)];
  }

  private revertAsks(): readonly Ask[] {
    const now = this.applied;
    return now === null ? [] : [editAsk(now.source.path, applied(now.source.text, now), now.source.text)];
  }

  private backAsks(): readonly Ask[] {
    const asks = [...this.revertAsks()];
    const back = this.stray === null ? this.kept : [...this.kept, this.stray];
    for (const one of back.toReversed())
      asks.push(editAsk(one.source.path, applied(one.source.text, one), one.source.text));
    return asks;
  }

  private keep({ candidate, report }: Tried): void {
    const { source } = candidate;
    const text = applied(source.text, candidate);
    const fresh = sourceOf(source.path, text) ?? source;
    const replaceIn = (all: readonly Source[]) => all.map((one) => (one.path === source.path ? fresh : one));
    this.scene = { tests: replaceIn(this.scene.tests), sources: replaceIn(this.scene.sources) };
    this.base = report;
    this.best = null;
    this.applied = null;
    this.kept.push(candidate);
  }

  /** A failed try tells whether its line affects the failures. */
  private learn(tried: Tried, lines: Map<string, Line>): void {
    const { candidate, report } = tried;
    const verdict = compared(this.base, report);
    const key = placeOf(candidate);
    const { tries, touches } = lines.get(key) ?? { tries: 0, touches: 0 };
    const isTouched = verdict === "moved" || verdict === "better";
    if (verdict !== "unknown") lines.set(key, { tries: tries + 1, touches: touches + (isTouched ? 1 : 0) });
    const isBetter =
      verdict === "better" && (this.best === null || report.failures.length < this.best.report.failures.length);
    if (isBetter) this.best = tried;
  }
}

/** Numbers and additions can be fitted to one expected value; what restores a rule is right more often. */
const trust: Partial<Record<Kind, number>> = {
  step: 0.5,
  constant: 0.4,
  start: 0.7,
  missing: 0.6,
  guard: 0.6,
  limit: 2,
};

function trusted({ kind, weight }: Candidate): number {
  return weight * (trust[kind] ?? 1);
}

/** If fewer tests pass than ran before, the failing test may be skipped or gone, which is not a repair. */
function hasRunAll(first: Report, last: Report): boolean {
  const [before, after] = [countsIn(first), countsIn(last)];
  return before === null || after === null || after.passed >= before.run;
}

function placeOf({ source, line }: Candidate): string {
  return `${source.path}:${line}`;
}

interface Line {
  readonly tries: number;
  readonly touches: number;
}

function lineFactor(line: Line | undefined): number {
  if (line === undefined) return 1;
  const { tries, touches } = line;
  return (touches > 0 ? 1.25 : 0.55 ** tries) * 0.93 ** tries;
}

function likeliest(open: ReadonlySet<Candidate>, lines: ReadonlyMap<string, Line>): Candidate | null {
  let best: Candidate | null = null;
  let most = leastWeight;
  for (const one of open) {
    const weight = one.weight * lineFactor(lines.get(placeOf(one)));
    if (weight <= most) continue;
    best = one;
    most = weight;
  }
  return best;
}

/** `same`: all failures are unchanged. `moved`: some changed, so the place affects them. `unknown`: the output does not say. */
function compared(before: Report, after: Report): "same" | "moved" | "better" | "worse" | "unknown" {
  if (after.kind !== "test_failure") return "worse";
  if (![before, after].every(({ failures }) => failures.some(({ test, file }) => test !== null || file !== null)))
    return "unknown";
  const old = new Map(before.failures.map((one) => [nameOf(one), one.error]));
  const now = new Map(after.failures.map((one: Failure) => [nameOf(one), one.error]));
  const isBroken = [...now.keys()].some((name) => !old.has(name));
  const isLess = [...old.keys()].some((name) => !now.has(name));
  if (isLess && !isBroken) return "better";
  const isMoved = [...old].some(([name, error]) => now.get(name) !== error);
  return isMoved ? "moved" : isBroken ? "worse" : "same";
}
