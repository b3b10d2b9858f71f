// Commands that show what git keeps in old commits, where a secret may lie that was removed long ago.
import { resolve } from "node:path";
import { isSecretIn } from "../contract/secret-path.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { PathFact } from "../contract/tool.ts";
import { isWithin } from "../platform/files/path.ts";
import { knownPast, lookAtPast, type Past } from "../platform/git/past.ts";
import { decide, type PolicyQuestion, type PolicyVerdict } from "../policy/decide.ts";
import { unknownPath } from "../policy/rule-path.ts";
import type { PathWord } from "../policy/shell/judgement.ts";
import { factOf, type JudgeDeps, type Judged, type JudgeMoment } from "./judge.ts";

/** So many reasons are read. */
const MAX_NAMED = 8;

interface WithPast {
  readonly question: PolicyQuestion;
  readonly verdict: PolicyVerdict;
  readonly lacksPast: Pick<Judged, "lacksPast">;
}

/** Only what would be allowed is worth the look; where the person has said yes already, nothing of it would be asked about. */
export function withPast(deps: JudgeDeps, question: PolicyQuestion, moment: JudgeMoment): WithPast {
  const verdict = decide(question);
  const plain = { question, verdict, lacksPast: {} };
  if (verdict.decision !== "allow" || moment.mode === "yolo" || moment.authority !== undefined) return plain;
  const reads = question.judgement?.reads ?? [];
  const shown = reads.flatMap((word) => shownPast(deps, word));
  if (shown.length === 0) return plain;
  const hashes = [...new Set(shown.flatMap((one) => one.hashes))];
  const past = moment.past ?? knownPast(deps.settings.workspace, hashes);
  const names = past ? shown.flatMap(({ of, isShown }) => past[of].filter(isShown)) : [];
  const riskReasons = past?.isWhole ? [] : [phrase("policy.git.past")];
  const paths = [...question.paths, ...named(deps, [...new Set(names)])];
  const fuller = { ...question, paths, riskReasons: [...question.riskReasons, ...riskReasons] };
  return { question: fuller, verdict: decide(fuller), lacksPast: past ? {} : { lacksPast: hashes } };
}

/** What a judgement lacked. */
export function lookFor(workspace: string, hashes: readonly string[]): Promise<Past> {
  return lookAtPast(workspace, hashes, isSecretIn(workspace));
}

interface ShownPast {
  readonly of: "ever" | "head";
  readonly hashes: readonly string[];
  readonly isShown: (name: string) => boolean;
}

function shownPast(deps: JudgeDeps, { tracked = [], past }: PathWord): readonly ShownPast[] {
  if (!past) return [];
  const revisions = past.isCertain ? past.revisions : past.revisions.filter((word) => !factOf(deps, word).exists);
  if (past.shows === "none" && revisions.length === 0) return [];
  const places = placesOf(deps, tracked);
  // A file that is no secret, and nothing else.
  const isFile = (word: string) => factOf(deps, word).kind === "file";
  const paths = past.isCertain ? tracked : tracked.filter((word) => places.includes(word));
  if (places.length > 0 && paths.every(isFile)) return [];
  const isHead = past.shows !== "ever" && revisions.every((word) => word === "HEAD" || word === "@");
  return [
    {
      of: isHead ? "head" : "ever",
      // Commits that nothing leads to have no other name.
      hashes: isHead ? [] : revisions.flatMap((word) => word.toLowerCase().match(/[0-9a-f]{4,64}/g) ?? []),
      // Words beside the places may be folders of then.
      isShown: (name) => isBelow(deps, places.length === 0 ? [] : tracked, name),
    },
  ];
}

/** The words that are paths here; none where git's own wildcards and signs are among them. */
export function placesOf(deps: JudgeDeps, words: readonly string[]): readonly string[] {
  const isPlain = words.every((word) => !/[*?[\\:]/.test(word));
  return isPlain ? words.filter((word) => factOf(deps, word).exists) : [];
}

export function isBelow({ settings }: JudgeDeps, places: readonly string[], name: string): boolean {
  const at = (path: string) => resolve(settings.workspace, path);
  return places.length === 0 || places.some((place) => isWithin(at(name), at(place)));
}

export function named(deps: JudgeDeps, names: readonly string[]): readonly PathFact[] {
  const facts = names.slice(0, MAX_NAMED).map((name) => factOf(deps, name));
  return names.length > MAX_NAMED ? [...facts, unknownPath("…")] : facts;
}
