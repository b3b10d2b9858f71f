// Commands that show what git keeps in old commits, where a secret may lie that was removed long ago.
import { relative, resolve } from "node:path";
import { isSecretIn } from "../../contract/path/secret-path.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { PathFact } from "../../contract/tool.ts";
import { isWithin } from "../../platform/files/path.ts";
import { knownPast, lookAtPast, type Past } from "../../platform/git/past.ts";
import { decide, type PolicyQuestion, type PolicyVerdict } from "../../policy/decide.ts";
import { unknownPath } from "../../policy/rule/path.ts";
import type { PathWord } from "../../policy/shell/verdict/judgement.ts";
import { factOf, isGitStore, type JudgeDeps, type Judged, type JudgeMoment } from "./judge.ts";

/** So many reasons are read. */
const MAX_NAMED = 8;

interface WithPast {
  readonly question: PolicyQuestion;
  readonly verdict: PolicyVerdict;
  readonly unknownObjects: Pick<Judged, "unknownObjects">;
}

/** Only what would be allowed is worth the look; where the person has said yes already, nothing of it would be asked about. */
export function withPast(deps: JudgeDeps, question: PolicyQuestion, moment: JudgeMoment): WithPast {
  const verdict = decide(question);
  const plain = { question, verdict, unknownObjects: {} };
  if (verdict.decision !== "allow" || moment.mode === "yolo" || moment.authority !== undefined) return plain;
  const reads = question.judgement?.reads ?? [];
  const shown = reads.flatMap((word) => shownPast(deps, word));
  const stores = storesIn(deps, reads, question.paths);
  if (shown.length === 0 && stores.length === 0) return plain;
  const words = [...new Set(shown.flatMap((one) => one.words))];
  const past = moment.past ?? knownPast(deps.settings.workspace, words);
  const names = past
    ? [...shown.flatMap((one) => namesIn(past, one)), ...words.flatMap((word) => past.objects.get(word) ?? [])]
    : [];
  const unnamed = past ? words.filter((word) => past.objects.get(word) === null || wildcard.test(word)) : [];
  const riskReasons = [
    ...(past?.isWhole || shown.length === 0 ? [] : [phrase("policy.git.past")]),
    ...stores.map((path) => phrase("policy.git.store", { path: visible(path) })),
    ...unnamed.slice(0, MAX_NAMED).map((object) => phrase("policy.git.object", { object: visible(object) })),
  ];
  const paths = [...question.paths, ...named(deps, [...new Set(names)])];
  const fuller = { ...question, paths, riskReasons: [...question.riskReasons, ...riskReasons] };
  return {
    question: fuller,
    verdict: decide(fuller),
    unknownObjects: past || shown.length === 0 ? {} : { unknownObjects: words },
  };
}

/** The files themselves, and folders whose files are read. */
function storesIn(deps: JudgeDeps, reads: readonly PathWord[], facts: readonly PathFact[]): readonly string[] {
  const isDeep = new Set(reads.flatMap((word) => (word.isDeep ? [word.path] : [])));
  const isStore = ({ given, real, kind }: PathFact): boolean => {
    const path = real ?? resolve(deps.settings.workspace, given);
    if (kind === "folder") return isDeep.has(given) && (isGitStore(path) || /\/\.git(?:\/modules.*)?$/is.test(path));
    return isGitStore(path);
  };
  return [...new Set(facts.filter(isStore).map(({ given }) => given))].slice(0, MAX_NAMED);
}

/** What a judgement lacked. */
export function lookFor(workspace: string, words: readonly string[]): Promise<Past> {
  return lookAtPast(workspace, words, isSecretIn(workspace));
}

interface ShownPast {
  /** `null`: nothing of commits. */
  readonly of: "ever" | "head" | null;
  /** What may name something else than a commit, or a commit that nothing leads to. */
  readonly words: readonly string[];
  readonly isShown: (name: string) => boolean;
}

function namesIn(past: Past, { of, isShown }: ShownPast): readonly string[] {
  return of === null ? [] : past[of].filter(isShown);
}

const wildcard = /[*?[]/;
/** A commit for certain, and one that is known. */
const checkedOut = /^(?:HEAD|@)(?:[~^][0-9]*)*$/;

/** The tree without any file, by its hash. */
const emptyTree =
  /^(?:4b825dc642cb6eb9a060e54bf8d69288fbee4904|6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321)$/;

/** What the parts of a revision begin with: behind `:` and `^{` stands what lies in it, and in `@{…}` when that was. */
function wordsIn(revision: string): readonly string[] {
  const parts = revision.replace(/@\{[^}]*\}/g, "").split(/\.{2,3}/);
  const starts = parts.map((part) => part.replace(/^\^/, "").replace(/(?::|\^\{|\^[!@-]).*$/s, ""));
  return starts.filter((start) => start !== "" && !checkedOut.test(start) && !emptyTree.test(start));
}

function shownPast(deps: JudgeDeps, word: PathWord): readonly ShownPast[] {
  const { tracked = [], past } = word;
  if (!past) return [];
  // A wildcard stands for files, and where no path may stand, for whatever is called like one of them.
  const isPath = (word: string): boolean => wildcard.test(word) || factOf(deps, word).exists;
  const revisions = past.isCertain ? past.revisions : past.revisions.filter((word) => !isPath(word));
  const words = revisions.flatMap(wordsIn);
  const objects: readonly ShownPast[] = words.length === 0 ? [] : [{ of: null, words, isShown: () => false }];
  if (past.isObjectsOnly) return objects;
  if (past.shows === "none" && revisions.length === 0) return [];
  const places = placesOf(deps, tracked);
  // A file that is no secret, and nothing else.
  const isFile = (word: string) => factOf(deps, word).kind === "file";
  const paths = past.isCertain ? tracked : tracked.filter((word) => places.includes(word));
  if (places.length > 0 && paths.every(isFile)) return objects;
  const isHead = past.shows !== "ever" && revisions.every((word) => word === "HEAD" || word === "@");
  return [
    {
      of: isHead ? "head" : "ever",
      words: isHead ? [] : words,
      // Words beside the places may be folders of then.
      isShown: (name) =>
        isHead && pathsCertain(word)
          ? isCovered(deps, tracked, name)
          : isBelow(deps, places.length === 0 ? [] : tracked, name),
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

/** All words behind `--` are paths to git, and none has a sign of its own. */
export function pathsCertain({ tracked = [], past }: PathWord): boolean {
  return past?.isCertain === true && tracked.length > 0 && tracked.every((word) => !/[\\:]/.test(word));
}

/** Whether git would take the file for one of these, with wildcards taken for more than they are. */
export function isCovered({ settings: { workspace } }: JudgeDeps, paths: readonly string[], name: string): boolean {
  const below = (path: string): string => relative(workspace, resolve(workspace, path));
  const at = below(name);
  return paths.some((path) => {
    if (isWithin(resolve(workspace, name), resolve(workspace, path))) return true;
    return wildcard.test(path) && asExpression(below(path)).test(at);
  });
}

const globPart = /\[[!^]?\]?[^\]]*\]|[\s\S]/g;

/** Of at least what the glob stands for. */
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
