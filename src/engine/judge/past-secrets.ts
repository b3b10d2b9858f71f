// Commands that show what git keeps in old commits, where a secret may lie that was removed long ago.
import { relative, resolve } from "node:path";
import { isSecretIn } from "../../contract/path/secret-path.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { PathFact } from "../../contract/tool.ts";
import { isWithin } from "../../platform/files/path.ts";
import { knownPast, lookAtPast, type Past } from "../../platform/git/past.ts";
import type { PolicyQuestion } from "../../policy/decide.ts";
import type { PastFacts } from "../../policy/decide-deed.ts";
import { unknownPath } from "../../policy/rule/path.ts";
import type { PathWord } from "../../policy/shell/verdict/judgement.ts";
import { factOf, isGitStore, type JudgeDeps } from "./deed-facts.ts";

/** Nobody reads more reasons. */
const MAX_NAMED = 8;

/** What the command would show of git's history; `null` = nothing. `known`: the history as it was just looked up. */
export function pastFacts(deps: JudgeDeps, question: PolicyQuestion, known: Past | undefined): PastFacts | null {
  const reads = question.judgement?.reads ?? [];
  const shown = reads.flatMap((word) => shownPast(deps, word));
  const stores = storesIn(deps, reads, question.paths);
  if (shown.length === 0 && stores.length === 0) return null;
  const words = [...new Set(shown.flatMap((one) => one.words))];
  const past = known ?? knownPast(deps.settings.workspace, words);
  const names = past
    ? [...shown.flatMap((one) => namesIn(past, one)), ...words.flatMap((word) => past.objects.get(word) ?? [])]
    : [];
  const unnamed = past ? words.filter((word) => past.objects.get(word) === null || wildcard.test(word)) : [];
  const riskReasons = [
    ...(past?.isWhole || shown.length === 0 ? [] : [phrase("policy.git.past")]),
    ...stores.map((path) => phrase("policy.git.store", { path: visible(path) })),
    ...unnamed.slice(0, MAX_NAMED).map((object) => phrase("policy.git.object", { object: visible(object) })),
  ];
  const isLacking = past === null && shown.length > 0;
  return {
    paths: named(deps, [...new Set(names)]),
    riskReasons,
    ...(isLacking ? { unknownObjects: words } : {}),
  };
}

/** Object files of git among the paths, and folders of them whose files are read. */
function storesIn(deps: JudgeDeps, reads: readonly PathWord[], facts: readonly PathFact[]): readonly string[] {
  const isDeep = new Set(reads.flatMap((word) => (word.isDeep ? [word.path] : [])));
  const isStore = ({ given, real, kind }: PathFact): boolean => {
    const path = real ?? resolve(deps.settings.workspace, given);
    if (kind === "folder") return isDeep.has(given) && (isGitStore(path) || /\/\.git(?:\/modules.*)?$/is.test(path));
    return isGitStore(path);
  };
  return [...new Set(facts.filter(isStore).map(({ given }) => given))].slice(0, MAX_NAMED);
}

export function lookFor(workspace: string, words: readonly string[]): Promise<Past> {
  return lookAtPast(workspace, words, isSecretIn(workspace));
}

interface ShownPast {
  /** `null`: nothing of commits. */
  readonly of: "ever" | "head" | null;
  /** Revisions that may name an object other than a commit, or an unreachable commit. */
  readonly words: readonly string[];
  readonly isShown: (name: string) => boolean;
}

function namesIn(past: Past, { of, isShown }: ShownPast): readonly string[] {
  return of === null ? [] : past[of].filter(isShown);
}

const wildcard = /[*?[]/;
/** Names the checked-out commit or one of its ancestors. */
const checkedOut = /^(?:HEAD|@)(?:[~^][0-9]*)*$/;

/** The tree without any file, by its hash. */
const emptyTree =
  /^(?:4b825dc642cb6eb9a060e54bf8d69288fbee4904|6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321)$/;

/** The names in a revision, without paths (`:…`), types (`^{…}`) and times (`@{…}`). */
function wordsIn(revision: string): readonly string[] {
  const parts = revision.replace(/@\{[^}]*\}/g, "").split(/\.{2,3}/);
  const starts = parts.map((part) => part.replace(/^\^/, "").replace(/(?::|\^\{|\^[!@-]).*$/s, ""));
  return starts.filter((start) => start !== "" && !checkedOut.test(start) && !emptyTree.test(start));
}

function shownPast(deps: JudgeDeps, word: PathWord): readonly ShownPast[] {
  const { tracked = [], past } = word;
  if (!past) return [];
  // A wildcard matches files; where no path may stand, it matches whatever has the name of one.
  const isPath = (word: string): boolean => wildcard.test(word) || factOf(deps, word).exists;
  const revisions = past.isCertain ? past.revisions : past.revisions.filter((word) => !isPath(word));
  const words = revisions.flatMap(wordsIn);
  const objects: readonly ShownPast[] = words.length === 0 ? [] : [{ of: null, words, isShown: () => false }];
  if (past.isObjectsOnly) return objects;
  if (past.shows === "none" && revisions.length === 0) return [];
  const places = placesOf(deps, tracked);
  // Only files, none of them secret.
  const isFile = (word: string) => factOf(deps, word).kind === "file";
  const paths = past.isCertain ? tracked : tracked.filter((word) => places.includes(word));
  if (places.length > 0 && paths.every(isFile)) return objects;
  const isHead = past.shows !== "ever" && revisions.every((word) => word === "HEAD" || word === "@");
  return [
    {
      of: isHead ? "head" : "ever",
      words: isHead ? [] : words,
      // Words that are no path now may have been folders in old commits.
      isShown: (name) =>
        isHead && pathsCertain(word)
          ? isCovered(deps, tracked, name)
          : isBelow(deps, places.length === 0 ? [] : tracked, name),
    },
  ];
}

/** The words that are paths here; none where one has a wildcard or sign of git's own. */
export function placesOf(deps: JudgeDeps, words: readonly string[]): readonly string[] {
  const isPlain = words.every((word) => !/[*?[\\:]/.test(word));
  return isPlain ? words.filter((word) => factOf(deps, word).exists) : [];
}

export function isBelow({ settings }: JudgeDeps, places: readonly string[], name: string): boolean {
  const at = (path: string) => resolve(settings.workspace, path);
  return places.length === 0 || places.some((place) => isWithin(at(name), at(place)));
}

/** All words behind `--` are paths to git, and none has a sign of its own. */
export function pathsCertain({ tracked = [], past }: PathWord): boolean {
  return past?.isCertain === true && tracked.length > 0 && tracked.every((word) => !/[\\:]/.test(word));
}

/** Whether git could match the file with one of the paths. Wildcards are taken too widely. */
export function isCovered({ settings: { workspace } }: JudgeDeps, paths: readonly string[], name: string): boolean {
  const below = (path: string): string => relative(workspace, resolve(workspace, path));
  const at = below(name);
  return paths.some((path) => {
    if (isWithin(resolve(workspace, name), resolve(workspace, path))) return true;
    return wildcard.test(path) && asExpression(below(path)).test(at);
  });
}

const globPart = /\[[!^]?\]?[^\]]*\]|[\s\S]/g;

/** Matches at least what the glob matches. */
export function asExpression(glob: string): RegExp {
  const parts = [...glob.matchAll(globPart)].map(([part]) => {
    if (part === "*" || part === "[") return ".*";
    return part === "?" || part.length > 1 ? "." : part.replace(/[^\w/ -]/u, "\\$&");
  });
  return new RegExp(`^${parts.join("")}(?:/.*)?$`, "s");
}

export function named(deps: JudgeDeps, names: readonly string[]): readonly PathFact[] {
  const facts = names.slice(0, MAX_NAMED).map((name) => factOf(deps, name));
  return names.length > MAX_NAMED ? [...facts, unknownPath("…")] : facts;
}
