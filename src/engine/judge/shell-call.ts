// Judges command lines. Loaded with the first of them: the parser and its tables take milliseconds.
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import type { Call } from "../../contract/message.ts";
import { isSecretIn, isSecretPath } from "../../contract/path/secret-path.ts";
import { isSystemPlace } from "../../contract/path/system-places.ts";
import type { RunForm } from "../../contract/sandbox.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { PathFact, Reach } from "../../contract/tool.ts";
import { Losses } from "../../platform/changes/lost.ts";
import { firstBelow } from "../../platform/files/below.ts";
import { namesIn } from "../../platform/files/entry.ts";
import { expandGlob } from "../../platform/files/expand-glob.ts";
import { isWithin } from "../../platform/files/path.ts";
import { type Way, wayTo } from "../../platform/files/way.ts";
import { gitProblem } from "../../platform/git/facts.ts";
import { markObeyed, repositoryTop } from "../../platform/git/git-folder.ts";
import type { TrackedFile } from "../../platform/git/index-file.ts";
import { mayBeChanged, trackedThatFit } from "../../platform/git/tracked.ts";
import { SAFE_ENVIRONMENT } from "../../platform/process/gate.ts";
import { hasNarrowView } from "../../platform/sandbox/confine.ts";
import { holdsSecret } from "../../platform/sandbox/secret/secret-files.ts";
import { systemFolders } from "../../platform/sandbox/system-folders.ts";
import { choosesPlainly } from "../../platform/version-choice.ts";
import { judgeCommand } from "../../policy/command.ts";
import type { PolicyQuestion, PolicyVerdict } from "../../policy/decide.ts";
import { isBound, isLetRun } from "../../policy/findings.ts";
import { isProtectedPath, namesOf } from "../../policy/paths.ts";
import { dialledBy } from "../../policy/rule/network.ts";
import { unknownPath } from "../../policy/rule/path.ts";
import type { Mention } from "../../policy/rule/rule.ts";
import { asksOwnConfig } from "../../policy/shell/git/config.ts";
import { readsOnlyNamed, showsOnlyNames } from "../../policy/shell/git/only-named.ts";
import { hardening } from "../../policy/shell/programs/hardening.ts";
import type {
  CommandJudgement,
  GitPlace,
  PathWord,
  ShellFacts,
  SimpleCommand,
} from "../../policy/shell/verdict/judgement.ts";
import { isTestRun } from "../../verify/relate/narrow.ts";
import { asksForChecks } from "../../words/check/wish-for-checks.ts";
import { factOf, type JudgeDeps, type Judged, type JudgeMoment, questionOf, withContent } from "./judge.ts";
import { asExpression, isBelow, isCovered, named, pathsCertain, placesOf, withPast } from "./past-secrets.ts";

const ordinary: Reach = { network: false, free: false };
/** More names than anybody reads: what they are is then not looked up. */
const MAX_GLOB = 1000;

/** A command line, as the bash tool would be asked to run it. */
export function judgeShell(
  deps: JudgeDeps,
  command: string,
  moment: JudgeMoment,
  reach: Reach = ordinary,
  { tool, role }: Pick<Call, "tool" | "role"> = { tool: "bash", role: "runs" },
): Judged {
  const confined = moment.sandbox === "ready" && !reach.free;
  const judgement = withAdded(deps, judgeCommand(command, shellFacts(deps, confined)));
  const seen = judgement.reads.flatMap((word) => factsOf(deps, word, confined, withContent));
  const paths = isOnlyListing(judgement) ? seen.map((fact) => withListing(deps, fact)) : seen;
  const { workspace, addDirs } = deps.settings;
  const written = judgement.writes.flatMap((word) => factsOf(deps, word, confined));
  const writes = markObeyed(written, [workspace, ...addDirs]);
  const mentions =
    moment.mode === "yolo" ? everyMention(deps, judgement) : mentionsFor(deps, judgement, moment, confined);
  const losses = confined && moment.mode !== "yolo" ? lossesOf(deps, judgement) : [];
  const mayAsk = moment.words !== undefined && confined && !reach.network && runsOnlyTests(judgement, writes);
  const isAsked = mayAsk && asksForChecks(moment.words ?? "");
  const asked = isAsked && moment.authority === undefined ? { ...moment, authority: "the person's words" } : moment;
  const shows = (reach.shows ?? []).map((path) => factOf(deps, path));
  const hosts = confined && reach.network ? dialledBy(judgement, shellFacts(deps, confined)) : null;
  const found = { judgement, paths, writes, mentions, losses, ...(hosts ? { hosts } : {}) } as const;
  const about = { tool, ...(role ? { role } : {}), access: "exec", ...found, reach, shows, riskReasons: [] } as const;
  const first = { ...questionOf(deps, asked), ...about };
  const { question, verdict, lacksPast } = withPast(deps, first, asked);
  const form = formOf(question, verdict, moment, reach);
  const check = role === "checks" && form.confined ? { isCheck: true as const } : {};
  const mayPlant = mayPlantOf(form, writes, moment, reach);
  return {
    ...verdict,
    question,
    outside: [],
    form: { ...form, ...check, ...(mayPlant ? { mayPlant } : {}) },
    ...lacksPast,
  };
}

/** Nothing that acts but test runners, and no file is written but those of theirs. */
function runsOnlyTests({ commands }: CommandJudgement, writes: readonly PathFact[]): boolean {
  const isSaying = ([name]: SimpleCommand["words"]): boolean =>
    name?.kind === "literal" && (name.value === "echo" || name.value === "printf");
  const acting = commands.filter(({ isReadOnly, words }) => !isReadOnly && !isSaying(words));
  const isOutput = ({ inside, exists }: PathFact): boolean => inside && !exists;
  return acting.length > 0 && acting.every(({ argv }) => argv !== null && isTestRun(argv)) && writes.every(isOutput);
}

/** What it starts when it is asked for a version, nothing of the workspace says, and whatever that does, it can change nothing. */
function isTame({ isManaged, settings: { workspace } }: JudgeDeps, program: string): boolean {
  return isManaged?.(program) === true && choosesPlainly(workspace);
}

/** Where the line opens something else as well, it could be led into a folder that is only shown to be listed. */
function isOnlyListing({ reads, usesGit }: CommandJudgement): boolean {
  return !usesGit && reads.every(({ isListed, isGlob }) => isListed && !isGlob);
}

function withListing({ settings: { workspace } }: JudgeDeps, fact: PathFact): PathFact {
  const isAround = fact.real === dirname(workspace) && fact.kind === "folder" && !fact.inside;
  return isAround ? { ...fact, isListing: true } : fact;
}

function shellFacts(deps: JudgeDeps, confined: boolean): ShellFacts {
  return {
    digest,
    isItself: (program, isHere) => deps.isItself(program) || (confined && isHere && isTame(deps, program)),
    isHarmless: (program, isHere) => confined && isHere && (!deps.isStandIn(program) || isTame(deps, program)),
    isStandIn: deps.isStandIn,
    holds: (names) => namesIn(deps.settings.workspace)?.some((one) => names.test(one)) ?? true,
    get gitProblem() {
      return deps.gitProblem();
    },
    gitIn: (folder) => gitPlace(deps, folder),
    folder: deps.settings.workspace,
    home: homedir(),
    isExported: (name) => [process.env, SAFE_ENVIRONMENT, hardening].some((one) => Object.hasOwn(one, name)),
  };
}

/** Of a word that is known only when the command runs, it is known that it leads to no other folders than the chosen ones. */
function withAdded({ settings: { addDirs } }: JudgeDeps, judgement: CommandJudgement): CommandJudgement {
  if (addDirs.length === 0 || !judgement.reads.some(({ anywhere }) => anywhere)) return judgement;
  const added = addDirs.map((path): PathWord => ({ path, isGlob: false, isDeep: true }));
  return { ...judgement, reads: [...judgement.reads, ...added] };
}

/** Git takes the nearest repository above, and a folder that has the names of one for one. */
function gitPlace(deps: JudgeDeps, folder: string): GitPlace {
  const { workspace, addDirs } = deps.settings;
  const { real, inside, kind } = factOf(deps, folder === "" ? "." : folder);
  const root = [workspace, ...addDirs].find((one) => real !== null && isWithin(real, one));
  if (real === null || !inside || kind !== "folder" || root === undefined) {
    return { problem: phrase("shell.git_elsewhere"), isSame: false };
  }
  const top = repositoryTop(real, root);
  if (top === workspace) return { problem: deps.gitProblem(), isSame: true };
  return { problem: top === null ? phrase("shell.git_elsewhere") : gitProblem(top), isSame: false };
}

function digest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/**
 * Rules about paths, and what the person has said of files, ask for them, and so does whoever lets a command change files unasked.
 * A command has as many words as it likes; a rule is not walked around by more of them.
 */
function mentionsFor(
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
function lossesOf(deps: JudgeDeps, { removes }: CommandJudgement): readonly string[] {
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
function everyMention(deps: JudgeDeps, { mentions }: CommandJudgement): readonly Mention[] {
  return mentions.flatMap(({ path, isGlob, isDeep = false, isChanged }): readonly Mention[] => {
    const names = isGlob ? (expandGlob(path, deps.settings.workspace, MAX_GLOB) ?? []) : [];
    const word = { fact: isGlob ? unknownPath(path) : factOf(deps, path), isGlob, isDeep, isChanged };
    return [word, ...names.map((name) => ({ fact: factOf(deps, name), isGlob: false, isDeep, isChanged }))];
  });
}

/** Of each process. What is proved to only read may still never end; git may look through a long history. */
const cpuSeconds = { text: 10, git: 60 };

/** Who was proved to only read may write nowhere: should the proof be wrong, nothing happens. */
function formOf(question: PolicyQuestion, verdict: PolicyVerdict, moment: JudgeMoment, reach: Reach): RunForm {
  const { judgement } = question;
  const confined = moment.sandbox === "ready" && !reach.free;
  const isProved = judgement?.isReadOnly === true && verdict.decision === "allow" && moment.mode !== "yolo";
  const limit = isProved ? { cpuSeconds: judgement.usesGit ? cpuSeconds.git : cpuSeconds.text } : {};
  // What reads no path of anybody's choice has nothing that could be swapped; it may say something of the machine.
  const ownConfig = isProved && asksOwnConfig(judgement) ? { ownConfig: true as const } : {};
  const usesGit = isProved && judgement.usesGit && !ownConfig.ownConfig;
  const isNarrow = isProved && confined && (usesGit || judgement.reads.length > 0 || judgement.unsettled.length > 0);
  const judged = isNarrow ? judgedAlone(question, judgement) : null;
  const names =
    isNarrow && judgement.unsettled.length === 0 && showsOnlyNames(judgement) ? { names: true as const } : {};
  const narrow = isNarrow ? { narrow: true as const, ...names, ...(judged ? { judged } : {}) } : {};
  const shows = confined ? shownTo(question) : [];
  const seen = shows.length > 0 ? { shows } : {};
  const isUnasked = verdict.decision === "allow" && isLetRun(question) ? { isUnasked: true as const } : {};
  const roams = isNarrow && judgement.reads.some(({ anywhere }) => anywhere) ? { roams: true as const } : {};
  const bound = verdict.decision === "allow" && isBound(question) ? { isBound: true as const } : {};
  const deep = confined && [...(judgement?.reads ?? []), ...(judgement?.writes ?? [])].some(({ isDeep }) => isDeep);
  return {
    confined,
    readOnly: isProved || reach.onlyReads === true,
    network: reach.network,
    ...limit,
    ...narrow,
    ...roams,
    ...isUnasked,
    ...ownConfig,
    ...bound,
    ...seen,
    ...(deep ? { deep } : {}),
  };
}

/** Each is mounted by itself, which takes time. */
const MOST_JUDGED = 8;

/** All that the command reads, where that is known path by path, with the links that lead there. */
function judgedAlone({ paths, workspace }: PolicyQuestion, judgement: CommandJudgement): RunForm["judged"] | null {
  if (judgement.unsettled.length > 0 || !readsOnlyNamed(judgement)) return null;
  const ways = judgement.reads.map(({ path }): Way | null => {
    const fact = paths.find(({ given }) => given === path);
    const isSeen = fact?.inside || isSystemPlace(fact?.real ?? "");
    if (!fact || !isSeen || (fact.kind !== "file" && fact.kind !== "folder")) return null;
    const whole = resolve(workspace, path);
    if (fact.real === whole) return { real: whole, links: [] };
    const way = wayTo(whole);
    // Else it is just being swapped: whether it is still what was judged is asked when it is opened.
    return way?.real === fact.real ? way : { real: whole, links: [] };
  });
  const found = ways.filter((way) => way !== null);
  // What belongs to the machine is there in any case; only the links that lead to it are made anew.
  const isBound = (real: string): boolean =>
    !isSystemPlace(real) || paths.some((fact) => fact.inside && fact.real === real);
  const reals = [...new Set(found.map(({ real }) => real).filter(isBound))];
  if (found.length < ways.length || reals.length > MOST_JUDGED) return null;
  return {
    paths: reals,
    links: [...new Map(found.flatMap(({ links }) => links).map((one) => [one.path, one])).values()],
  };
}

/** What is asked about for its own sake: who allows the command allows it to see that. A list of commands allows nothing of it. */
function shownTo({ paths, writes = [], shows = [], authority }: PolicyQuestion): readonly string[] {
  const isGrave = ({ real, inside, ...fact }: PathFact): boolean =>
    !(fact.isNamed && inside) &&
    ((!inside && real !== "/" && !isSystemPlace(real ?? "")) || namesOf({ ...fact, real, inside }).some(isSecretPath));
  const facts = [...shows, ...(authority === undefined ? [...paths, ...writes].filter(isGrave) : [])];
  return [...new Set(facts.flatMap(({ real, exists }) => (real === null || !exists ? [] : [real])))];
}

/**
 * What it may leave for other programs to run. Where that is everything, the person has been asked about just that, or has said
 * beforehand that all may be done; of the files it names, the reasons have told.
 */
function mayPlantOf(
  { confined }: RunForm,
  writes: readonly PathFact[],
  { mode }: JudgeMoment,
  { free }: Reach,
): RunForm["mayPlant"] {
  if (free || (mode === "yolo" && !confined)) return true;
  const isMeant = (fact: PathFact): boolean => fact.isObeyed === true || namesOf(fact).some(isProtectedPath);
  const named = mode === "yolo" ? [] : writes.filter(isMeant).flatMap(({ real }) => real ?? []);
  return named.length > 0 ? named : undefined;
}

const asItIs = (fact: PathFact): PathFact => fact;

function factsOf(deps: JudgeDeps, word: PathWord, confined: boolean, seen = asItIs): readonly PathFact[] {
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
