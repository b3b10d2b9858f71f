// What the player says, in the language of the request.
import { type Lang, type Phrase, phrase, say as put, type TextKey } from "../contract/text/catalogue.ts";
import type { Checked } from "./check.ts";
import { applied, type Candidate, type Candidates } from "./find/candidates.ts";
import { evidenceOf } from "./find/evidence.ts";
import { printed } from "./find/traits.ts";
import type { Project } from "./project.ts";
import { type Failure, nameOf, type Report } from "./report.ts";
import type { Value } from "./text/literal.ts";

export interface Facts {
  readonly request: string;
  /** Real path of the workspace, where it is known. */
  readonly workspace: string | null;
  readonly lang: Lang;
}

export function say({ lang }: Pick<Facts, "lang">, what: Phrase): string {
  return put(lang, what);
}

function all(facts: Facts, ...parts: readonly (Phrase | null)[]): string {
  return parts.flatMap((part) => (part === null ? [] : [say(facts, part)])).join("\n\n");
}

export function help(facts: Facts): string {
  return all(facts, phrase("mechanic.what"), phrase("mechanic.can"), phrase("mechanic.add_model"));
}

export function refused(facts: Facts): string {
  return all(
    facts,
    phrase("mechanic.refused"),
    phrase("mechanic.what"),
    phrase("mechanic.can"),
    phrase("mechanic.add_model"),
  );
}

/** The tests were not run, or said nothing. */
export function unchecked(facts: Facts, { command }: Project, checked: Exclude<Checked, { kind: "report" }>): string {
  if (checked.kind === "stop") return say(facts, phrase("mechanic.stopped"));
  return say(facts, phrase("mechanic.not_run", { command, why: checked.why.slice(0, 1000) }));
}

export function environment(facts: Facts, { summary, failures, output }: Report): string {
  const more = failures.map(({ error }) => error).join("\n") || output.trim();
  return say(facts, phrase("mechanic.environment", { summary, more: more.slice(0, 1500) }));
}

function placeOf({ source, line }: Candidate): string {
  return `${source.path}:${line}`;
}

function whatOf({ kind }: Candidate): Phrase {
  return phrase(`mechanic.kind.${kind}` satisfies TextKey);
}

/** The lines that differ, as a diff shows them. */
function changeText({ source, ...change }: Candidate): string {
  const [old, fresh] = [source.text.split("\n"), applied(source.text, change).split("\n")];
  let head = 0;
  while (head < old.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const part = (lines: readonly string[], sign: string) =>
    lines.slice(head, lines.length - tail).map((line) => `  ${sign} ${line}`);
  return [...part(old, "-"), ...part(fresh, "+")].join("\n");
}

export function attempt(facts: Facts, n: number, candidate: Candidate): string {
  const args = { n, place: placeOf(candidate), what: whatOf(candidate), change: changeText(candidate) };
  return say(facts, phrase("mechanic.attempt", args));
}

function changed(candidate: Candidate): Phrase {
  const args = { place: placeOf(candidate), what: whatOf(candidate), change: changeText(candidate) };
  return phrase("mechanic.fixed.change", args);
}

export function fixed(facts: Facts, kept: readonly Candidate[], n: number, summary: string): string {
  return all(facts, phrase("mechanic.fixed", { n, summary }), ...kept.map(changed), phrase("mechanic.fixed.look"));
}

interface NotFixed {
  readonly first: Report;
  readonly tries: number;
  /** `stopped`, or what kept it from going on. */
  readonly why: string | null;
  readonly isStopped: boolean;
  readonly partly: readonly Candidate[];
  readonly candidates: Candidates;
}

export function notFixed(facts: Facts, { first, tries, why, isStopped, partly, candidates }: NotFixed): string {
  const { left } = candidates;
  return all(
    facts,
    phrase("mechanic.not_fixed", { n: tries }),
    isStopped ? phrase("mechanic.not_fixed.stopped") : null,
    why === null ? null : phrase("mechanic.not_fixed.why", { why: why.slice(0, 500) }),
    ...partly.map((one) => phrase("mechanic.not_fixed.partly", { change: changeText(one) })),
    left.length === 0 ? null : phrase("mechanic.not_fixed.harmful", { names: left.join(", ") }),
    ...explained(first, candidates),
    phrase("mechanic.add_model"),
  );
}

const maxShown = 20;

function explained({ summary, failures }: Report, { suspects }: Pick<Candidates, "suspects">): readonly Phrase[] {
  const names = suspects
    .slice(0, 3)
    .map(({ source, routine }) => `${routine.name} (${source.path}:${source.tokens[routine.from]?.line})`);
  return [
    phrase("mechanic.explained", { summary }),
    ...failures.slice(0, maxShown).map(failureText),
    ...(names.length === 0 ? [] : [phrase("mechanic.suspects", { names: names.join(", ") })]),
  ];
}

export function explainedText(facts: Facts, report: Report, candidates: Pick<Candidates, "suspects">): string {
  return all(facts, ...explained(report, candidates), phrase("mechanic.may_fix"));
}

function failureText(failure: Failure): Phrase {
  const { file, line } = failure;
  const place = file === null ? "?" : `${file}${line === null ? "" : `:${line}`}`;
  return phrase("mechanic.failure", { name: nameOf(failure), place, what: whatHappened(failure) });
}

function whatHappened(failure: Failure): Phrase | string {
  const { pair, awaited } = evidenceOf(failure);
  if (awaited !== null) return phrase("mechanic.failure.awaited", { name: awaited });
  const { got, expected } = pair ?? {};
  if (got === undefined || expected === undefined) return failure.error.split("\n").slice(0, 4).join("\n  ");
  return phrase("mechanic.failure.pair", { got: shown(got), expected: shown(expected) });
}

function shown(value: Value): string {
  return printed(value).slice(0, 200);
}
