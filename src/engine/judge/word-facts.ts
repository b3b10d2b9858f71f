import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isSecretIn, isSecretPath } from "../../contract/path/secret-path.ts";
import type { PathFact } from "../../contract/tool.ts";
import { Losses } from "../../platform/changes/lost.ts";
import { firstBelow } from "../../platform/files/below.ts";
import { expandGlob } from "../../platform/files/expand-glob.ts";
import { isWithin } from "../../platform/files/path.ts";
import type { TrackedFile } from "../../platform/git/index-file.ts";
import { mayBeChanged, trackedThatFit } from "../../platform/git/tracked.ts";
import { hasNarrowView } from "../../platform/sandbox/confine.ts";
import { holdsSecret } from "../../platform/sandbox/secret/secret-files.ts";
import { systemFolders } from "../../platform/sandbox/system-folders.ts";
import { unknownPath } from "../../policy/rule/path.ts";
import type { Mention } from "../../policy/rule/rule.ts";
import type { CommandJudgement, PathWord } from "../../policy/shell/verdict/judgement.ts";
import { factOf, type JudgeDeps, type JudgeMoment, withContent } from "./deed-facts.ts";
import { asExpression, isBelow, isCovered, named, pathsCertain, placesOf } from "./past-secrets.ts";

/** More names than anybody reads: what they are is then not looked up. */
const MAX_GLOB = 1000;

/**
 * Rules about paths, and what the person has said of files, ask for them, and so does whoever lets a command change files unasked.
 * A command has as many words as it likes; a rule is not walked around by more of them.
 */
export function mentionsFor(
  deps: JudgeDeps,
  { mentions }: CommandJudgement,
  { isLimited = false }: JudgeMoment,
  confined: boolean,
): readonly Mention[] {
  const isAsked = isLimited || deps.rules.some(({ decision, path }) => decision !== "allow" && path !== undefined);
  const asked = mentions.filter(({ isChanged }) => isAsked || (confined && isChanged));
  return asked.map(({ path, isGlob, isDeep = false, isChanged }) => ({
    fact: isGlob ? unknownPath(path) : placeOf(deps, path, confined),
    isGlob,
    isDeep,
    isChanged,
  }));
}

/** In the sandbox the folder for temporary files is one of its own, and nothing of the machine lies in it. */
function placeOf(deps: JudgeDeps, path: string, confined: boolean): PathFact {
  const { workspace, addDirs } = deps.settings;
  // Behind `..` and what is shown in it there may be links that lead elsewhere.
  const isPlain = /^\/tmp(?:\/|$)/.test(path) && !path.split("/").includes("..");
  const at = resolve(path);
  const isShown = [workspace, ...addDirs].some((root) => isWithin(at, root) || isWithin(root, at) || root === "/tmp");
  if (!confined || !isPlain || isShown || process.platform !== "linux") return factOf(deps, path);
  return { given: path, real: path, inside: true, exists: false, kind: "none" };
}

/** What it deletes for good: an undo brings back what is watched, and a build what it has made. */
export function lossesOf(deps: JudgeDeps, { removes }: CommandJudgement): readonly string[] {
  const losses = new Losses([deps.settings.workspace, ...deps.settings.addDirs]);
  const lost = removes.flatMap((word): readonly string[] => {
    if (word === null) return [];
    const forms = word.names?.map(asExpression) ?? [];
    const fits = (name: string): boolean => forms.some((form) => form.test(name));
    const called = word.names ? { names: word.names, fits } : null;
    const names = word.isGlob ? expandGlob(word.path, deps.settings.workspace, MAX_GLOB) : [word.path];
    if (names === null) return [word.path];
    return names.flatMap((name) => {
      const { real, inside, exists, kind } = placeOf(deps, name, true);
      // What lies outside is asked about for that.
      if (real === null || !inside || !exists || (word.isReplaced && kind !== "file")) return [];
      return (word.dropped ? losses.droppedBelow(real, word.dropped) : losses.with(real, called)) ?? [];
    });
  });
  return [...new Set(lost)];
}

/** Where nothing else holds a command, what it names is looked up, the names that a glob stands for too. */
export function everyMention(deps: JudgeDeps, { mentions }: CommandJudgement): readonly Mention[] {
  return mentions.flatMap(({ path, isGlob, isDeep = false, isChanged }): readonly Mention[] => {
    const names = isGlob ? (expandGlob(path, deps.settings.workspace, MAX_GLOB) ?? []) : [];
    const word = { fact: isGlob ? unknownPath(path) : factOf(deps, path), isGlob, isDeep, isChanged };
    return [word, ...names.map((name) => ({ fact: factOf(deps, name), isGlob: false, isDeep, isChanged }))];
  });
}

const asItIs = (fact: PathFact): PathFact => fact;

export function factsOf(deps: JudgeDeps, word: PathWord, confined: boolean, seen = asItIs): readonly PathFact[] {
  const { path, isGlob, isDeep } = word;
  if (word.anywhere) return confined ? allThatIsSeen(deps, word) : [];
  if (word.tracked) return [factOf(deps, path), ...trackedSecrets(deps, word, word.tracked)];
  const found = isGlob ? expandGlob(path, deps.settings.workspace, MAX_GLOB) : [path];
  // Where no file is called like the option, it is the option.
  const names = word.mayBeOption && found ? found.filter((name) => existsHere(deps, name)) : found;
  // A file may be called like an option (`+1f` to `tail`): `*` would hand it to the program as one.
  const isOdd = (name: string): boolean =>
    (!word.mayBeOption && name.startsWith("-")) || /^\+[0-9]*[bcl]?f$/.test(name);
  if (names === null || (isGlob && names.some(isOdd))) return [unknownPath(path)];
  const called = word.isNamed ? { isNamed: true as const } : {};
  const facts = names.map((name) => ({ ...seen(placeOf(deps, name, confined)), ...called }));
  return [
    ...facts,
    ...(isDeep
      ? facts.filter((fact) => !confined || !isSearched(deps, fact)).flatMap((fact) => secretBelow(deps, fact))
      : []),
    ...(word.obeys ? facts.flatMap((fact) => obeyedOutside(deps, fact)) : []),
  ];
}

function existsHere({ settings }: JudgeDeps, name: string): boolean {
  return lstatSync(resolve(settings.workspace, name), { throwIfNoEntry: false }) !== undefined;
}

/** Where all else of the machine is out of sight, any path leads to the workspace, if it leads to something of anybody's. */
function allThatIsSeen({ settings: { workspace, addDirs } }: JudgeDeps, { path }: PathWord): readonly PathFact[] {
  if (!hasNarrowView([workspace, ...addDirs])) return [];
  return [{ given: path, real: workspace, inside: true, exists: true, kind: "folder" }];
}

const obeyed = [".gitignore", ".ignore", ".rgignore", ".fdignore", ".git", ".git/info", ".git/info/exclude"];

/** A search shows the lines of such a file that it does not understand, wherever a link has led it. */
function obeyedOutside(deps: JudgeDeps, { given, real, kind }: PathFact): readonly PathFact[] {
  if (real === null || kind !== "folder") return [];
  const leadsOut = (path: string) => {
    const fact = factOf(deps, path);
    return !fact.inside || fact.real === null || fact.kind === "other";
  };
  const { workspace } = deps.settings;
  const above: string[] = [];
  for (let at = real; at !== workspace && isWithin(at, workspace); at = dirname(at)) above.push(dirname(at));
  const named = (folder: string) => obeyed.map((name) => `${folder}/${name}`);
  const found =
    above.flatMap(named).find(leadsOut) ??
    firstBelow(real, (path, isPlain) => !isPlain && obeyed.some((name) => path.endsWith(`/${name}`)) && leadsOut(path));
  if (found === null) return [];
  return [found === undefined ? unknownPath(`${given}/…`) : factOf(deps, found)];
}

/** The sandbox looks for secrets in it and hides them: `RunForm.deep`. */
function isSearched({ settings }: JudgeDeps, { real }: PathFact): boolean {
  const roots = [settings.workspace, ...settings.addDirs].filter((root) => !systemFolders.has(root));
  return real !== null && roots.some((root) => isWithin(real, root));
}

/** Whoever reads a whole folder reads the secrets in it. */
function secretBelow(deps: JudgeDeps, { given, real, kind }: PathFact): readonly PathFact[] {
  if (real === null || kind !== "folder") return [];
  const found = firstBelow(real, (path) => isSecretPath(path) && holdsSecret(path));
  if (found === null) return [];
  return [found === undefined ? unknownPath(`${given}/…`) : factOf(deps, found)];
}

/** What git keeps of it is what lies on the disk, and that holds no secret. */
function isHarmless(deps: JudgeDeps, file: TrackedFile): boolean {
  return !mayBeChanged(deps.settings.workspace, file) && withContent(factOf(deps, file.name)).isHarmless === true;
}

/** Git shows what it keeps, whatever lies on the disk now. A word that is no path here is a revision, or was a path once. */
function trackedSecrets(deps: JudgeDeps, word: PathWord, words: readonly string[]): readonly PathFact[] {
  const { workspace } = deps.settings;
  const secrets = trackedThatFit(workspace, isSecretIn(workspace));
  if (secrets === null) return [unknownPath(".git/index")];
  if (secrets.length === 0) return [];
  const places = placesOf(deps, words);
  const isOnDisk = word.isChangedOnly === true && places.length === words.length;
  const isShown = (name: string): boolean =>
    pathsCertain(word) ? isCovered(deps, words, name) : isBelow(deps, places.length === 0 ? [] : words, name);
  const shown = secrets.filter(
    (file) => isShown(file.name) && !(isOnDisk && !mayBeChanged(workspace, file)) && !isHarmless(deps, file),
  );
  return named(
    deps,
    shown.map(({ name }) => name),
  );
}
