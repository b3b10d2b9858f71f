// All small changes that could undo the fault, each with its likelihood.
import type { Area, Clues, Finder } from "../area.ts";
import { type Frame, framesIn, type Report } from "../report.ts";
import type { Scene } from "../scene.ts";
import type { Source } from "../text/outline.ts";
import { isKeyword } from "../text/span.ts";
import { fallbacks, guards, orders } from "./cases.ts";
import { conjuncts, endless, finalAnswers, presence } from "./conditions.ts";
import { evidenceOf } from "./evidence.ts";
import { type Change, usual } from "./kind.ts";
import { limits } from "./limits.ts";
import { missing } from "./missing.ts";
import { memberChanges, nameChanges, wordChanges } from "./names.ts";
import { leftOut, ownCalls, putSteps } from "./own-calls.ts";
import { assignments, awaits, flows, lineChanges, returns } from "./shape.ts";
import { negations, signChanges, signOfLimits, truths } from "./signs.ts";
import { starts } from "./starts.ts";
import { holds, type Suspect, sameFile, suspectsOf, topName, wantedIn } from "./suspects.ts";
import { argumentSwaps, choiceSwaps, elementSwaps, nameSwaps, operandSwaps } from "./swaps.ts";
import { factorsOf, traitsOf } from "./traits.ts";
import { assignedSteps, beginnings, constants, returnedSteps, steps, texts } from "./values.ts";
import { copies, reversals, tidied, wraps } from "./wraps.ts";

export interface Candidate extends Change {
  readonly weight: number;
}

/** Those that need no function around them. */
const ofExpressions: readonly Finder[] = [
  ...[signChanges, negations, signOfLimits],
  ...[operandSwaps, argumentSwaps, elementSwaps, choiceSwaps, conjuncts],
  ...[steps, assignedSteps, constants, beginnings, texts, truths],
];
const finders: readonly Finder[] = [
  ...ofExpressions,
  ...[nameSwaps, returnedSteps],
  ...[wraps, copies, reversals, tidied],
  ...[wordChanges, nameChanges, memberChanges],
  ...[returns, awaits, assignments, lineChanges, flows],
  ...[guards, fallbacks, orders],
  ...[ownCalls, putSteps, leftOut, limits, starts, endless, presence, finalAnswers, missing],
];

/** Calls with effects that no undo reverts. Functions with them are never changed: a wrong value could destroy something. */
const harmful =
  /\b(?:rmtree|unlink|unlinkSync|rmSync|rmdir|rmdirSync|removedirs|os\.remove|fs\.rm|subprocess|os\.system|Popen|execSync|spawnSync|child_process|exec|spawn|shutil|truncate|DROP|DELETE\s+FROM|requests\.|urlopen|urllib|fetch|axios|smtplib|boto3|sendmail)\b/;

const mostSuspects = 60;

export interface Candidates {
  readonly all: readonly Candidate[];
  readonly suspects: readonly Suspect[];
  readonly left: readonly string[];
}

export function candidatesFor(scene: Scene, report: Report, request: string): Candidates {
  const { failures, output } = report;
  const frames = [
    ...failures.flatMap(({ file, line }) => (file === null || line === null ? [] : [{ file, line }])),
    ...framesIn(output),
  ];
  const suspects = [...suspectsOf(scene, failures, frames, request)]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostSuspects);
  const words = wordsIn(scene);
  const safe = suspects.filter((one) => !isHarmful(one));
  const found = safe.flatMap((suspect) => {
    const evidence = suspect.failures.slice(0, 20).map(evidenceOf);
    const factor = factorsOf(report.kind === "timeout" ? [["endless"]] : evidence.map(traitsOf));
    const clues: Clues = { evidence, wanted: wantedIn(scene, suspect.failures), ...words };
    const weighed = areaChanges(areaOf(suspect), clues).map((change) => {
      const place = lineFactor(suspect.source, change.line, frames) * headFactor(suspect, change);
      return { ...change, weight: suspect.weight * place * usual[change.kind] * factor(change.kind) * change.odds };
    });
    return suspect.routine.name === topName ? weighed : [...weighed, ...constantChanges(suspect, clues, factor)];
  });
  const left = suspects
    .filter((one) => one.routine.name !== topName && isHarmful(one))
    .map(({ routine }) => routine.name);
  return { all: withoutRepeats(found), suspects: safe.filter(({ routine }) => routine.name !== topName), left };
}

function isHarmful({ source, routine }: Suspect): boolean {
  const [first, last] = [source.tokens[routine.from]!, source.tokens[routine.to - 1]!];
  return harmful.test(source.text.slice(first.start, last.end));
}

/** Only the beginning of a huge function is searched. */
const mostTokens = 4_000;

function areaOf({ source, routine }: Suspect): Area {
  return { source, routine, from: routine.from, to: Math.min(routine.to, routine.from + mostTokens) };
}

/** Changes inside a nested function belong to that function. */
function areaChanges(area: Area, clues: Clues): readonly Change[] {
  const { source, routine } = area;
  const inner = source.routines.filter(
    (one) => routine !== null && one !== routine && one.from >= routine.from && one.to <= routine.to,
  );
  const { tokens } = source;
  const spans = inner.map(({ body, to }) => [tokens[body]?.start ?? 0, tokens[to - 1]?.end ?? 0] as const);
  const isOwn = ({ start }: Change): boolean => !spans.some(([from, to]) => from <= start && start < to);
  const all = routine?.name === topName ? ofExpressions : finders;
  return all.flatMap((finder) => [...finder(area, clues)]).filter(isOwn);
}

function constantChanges(
  { source, routine, weight }: Suspect,
  clues: Clues,
  factor: ReturnType<typeof factorsOf>,
): readonly Candidate[] {
  const { tokens } = source;
  const used = new Set(
    tokens.slice(routine.body, routine.to).flatMap(({ kind, text }) => (kind === "name" ? [text] : [])),
  );
  return tokens.flatMap(({ kind, text }, at) => {
    if (kind !== "name" || tokens[at + 1]?.text !== "=" || !used.has(text)) return [];
    if (source.routines.some(({ from, to }) => from <= at && at < to)) return [];
    const area = { source, routine: null, from: at + 2, to: endOf(source, at + 2) };
    const changes = [steps, constants, texts, truths, signChanges].flatMap((finder) => [...finder(area, clues)]);
    return changes.map((one) => ({ ...one, weight: weight * 0.6 * usual[one.kind] * factor(one.kind) * one.odds }));
  });
}

function endOf({ tokens, partner }: Source, from: number): number {
  for (let at = from; at < tokens.length; at++) {
    if (partner[at]! > at) at = partner[at]!;
    else if (tokens[at]?.kind === "end" || tokens[at]?.text === ";") return at;
  }
  return tokens.length;
}

/** Defaults of parameters are right more often than the function's body. */
function headFactor({ source, routine }: Suspect, { start }: Change): number {
  return start < (source.tokens[routine.body]?.start ?? 0) ? 0.35 : 1;
}

/** Lines on which an error arose, and those beside them, are likelier. */
function lineFactor(source: Source, line: number, frames: readonly Frame[]): number {
  const own = frames.filter(({ file }) => sameFile(source, file));
  if (own.some((frame) => frame.line === line)) return 2;
  if (own.some((frame) => Math.abs(frame.line - line) <= 2)) return 1.2;
  const isNamed = source.routines.some(
    (routine) => holds(source, routine, line) && own.some((frame) => holds(source, routine, frame.line)),
  );
  return isNamed ? 0.9 : 1;
}

function wordsIn({ sources }: Scene): Pick<Clues, "words" | "asyncs"> {
  const words = new Set<string>();
  const asyncs = new Set<string>();
  for (const { tokens, routines } of sources) {
    for (const { kind, text } of tokens) if (kind === "name" && !isKeyword(text) && words.size < 2_000) words.add(text);
    for (const { name, isAsync } of routines) if (isAsync) asyncs.add(name);
  }
  return { words, asyncs };
}

function withoutRepeats(all: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>();
  const sorted = [...all].sort((a, b) => b.weight - a.weight);
  return sorted.filter((one) => {
    const key = essenceOf(one);
    const isNew = key !== null && !seen.has(key);
    if (key !== null) seen.add(key);
    return isNew;
  });
}

/** Equal for changes that make the same text; `null` for no change. Comparing whole texts would take too long. */
function essenceOf({ source: { path, text: all }, start: from, end: to, text: fresh }: Candidate): string | null {
  let [start, end, text] = [from, to, fresh];
  while (start < end && text !== "" && all[start] === text[0]) {
    start++;
    text = text.slice(1);
  }
  while (start < end && text !== "" && all[end - 1] === text.at(-1)) {
    end--;
    text = text.slice(0, -1);
  }
  if (start === end && text === "") return null;
  // A pure insertion or deletion can often be described at several positions: normalise to the first.
  while (start === end && start > 0 && all[start - 1] === text.at(-1)) {
    text = text.at(-1) + text.slice(0, -1);
    start = --end;
  }
  while (text === "" && start > 0 && all[start - 1] === all[end - 1]) {
    start--;
    end--;
  }
  return `${path} ${start} ${end} ${text}`;
}

export function applied(text: string, change: Pick<Change, "start" | "end" | "text">): string {
  return text.slice(0, change.start) + change.text + text.slice(change.end);
}
