import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { anyOf, isQuestion, judgeArguments, listedBy, pathOf } from "./arguments.ts";
import { withCommits } from "./git/named-commit.ts";
import { judgeGitIn, placeOfGit } from "./git/place.ts";
import { judgeAwk } from "./language/awk.ts";
import { judgePython } from "./language/python.ts";
import { judgeSed } from "./language/sed.ts";
import { judgeSystemScript } from "./programs/scripts.ts";
import { asksVersion, programNamed } from "./programs/table.ts";
import { heldVersion } from "./programs/versions.ts";
import { addMentions, addReads, addRemoved, adoptFolders, type Feed, maxDepth, type Scope, subshell } from "./scope.ts";
import { baseName, isDestructive } from "./verdict/destructive.ts";
import { anyPath, followsNoLink, isPiped, placeholderFor, withoutPlaceholders } from "./verdict/found.ts";
import type { MentionWord, PathWord, SimpleCommand, Word } from "./verdict/judgement.ts";
import { removedBy } from "./verdict/removed.ts";
import { countStep, countWords, cut, leaveOpen, notWhole, strangeIn, type Tally, tooDeep } from "./verdict/tally.ts";
import { evaluatedBy, mayChangeVariables } from "./word/evaluated.ts";
import { judgeSource } from "./word/source.ts";
import { Variables } from "./word/variables.ts";
import { builtins } from "./wrapper/builtins.ts";
import { readClient } from "./wrapper/client.ts";
import { judgeFind } from "./wrapper/find.ts";
import { type Handled, refused } from "./wrapper/handled.ts";
import { unwrap } from "./wrapper/unwrap.ts";
import { shells } from "./wrapper/wrappers.ts";
import { judgeXargs } from "./wrapper/xargs.ts";

/** Programs with a language of their own in their words. */
const languages: Readonly<Record<string, (args: readonly Word[]) => Handled>> = {
  sed: (args) => judgeSed("sed", args),
  gsed: (args) => judgeSed("gsed", args),
  awk: (args) => judgeAwk("awk", args),
  gawk: (args) => judgeAwk("gawk", args),
  mawk: (args) => judgeAwk("mawk", args),
  nawk: (args) => judgeAwk("nawk", args),
};

// System directories, where only their owner installs programs.
const systemFolder = /^\/(?:usr\/)?bin\/(?=[^/]+$)/;

/** Judges one command with its words, and everything it starts. Returns the names that it prints, if it prints names. */
export function judgeSimple(words: readonly Word[], text: string, scope: Scope, feed: Feed | null): Feed | null {
  const { tally } = scope;
  if (!countStep(tally)) {
    tooDeep(tally, text);
    return null;
  }
  const [name, ...args] = words;
  if (name?.kind !== "literal") {
    record(words, text, scope, false);
    notWhole(tally, phrase("shell.unknown_name", { part: cut(name?.text ?? text) }));
    return null;
  }
  const handled = handle(name.value, args, scope, feed);
  conclude(name.value, words, text, scope, handled);
  const evaluated = handled.problems.length > 0 ? evaluatedBy(name.value, args) : [];
  for (const start of [...(handled.starts ?? []), ...evaluated]) judgeStart(start, name.value, scope);
  return handled.feed ?? null;
}

function conclude(name: string, words: readonly Word[], text: string, scope: Scope, handled: Handled): void {
  const { tally } = scope;
  const open = handled.problems.length === 0 ? (handled.open ?? unsettled(baseName(name), words)) : null;
  if (open) leaveOpen(tally, open);
  const isReadOnly = handled.problems.length === 0 && open === null;
  const command = record(words, text, scope, isReadOnly);
  const isHarmful = !isReadOnly && (handled.isDestructive || isDestructive(name));
  // "not known to be harmless" adds nothing to "destructive".
  tally.reasons.push(...handled.problems.filter(({ key }) => !isHarmful || key !== "shell.program"));
  if (handled.isUnclear) tally.isWhole = false;
  if (handled.isUnclear || (handled.problems.length > 0 && mayChangeVariables(name))) tally.hasUnknownVariables = true;
  // Expanding a glob lists directories, whatever the command does with the names.
  const listed = words.flatMap((word) => {
    const places = word.kind === "glob" && !word.found ? listedBy(word.pattern) : [];
    const isRead = ({ path }: PathWord): boolean => handled.reads?.some((read) => read.path === path) ?? false;
    return places
      .filter((place) => !isRead(place))
      .map((place) => (/^-/.test(place.path) ? { ...place, mayBeOption: true } : place));
  });
  const isPrinted = name === "echo" || name === "printf";
  const home = words.flatMap((word) =>
    word.kind === "literal" && word.isHome && !isPrinted ? [{ path: word.value, isGlob: false }] : [],
  );
  // Unquoted, it may be a pattern for names in any directory.
  const any = words.filter((word) => word.kind === "any" && word.commit === undefined).map(anyOf);
  addReads({ ...scope, folders: handled.folders ?? scope.folders }, [...(handled.reads ?? []), ...any]);
  addReads(scope, [...listed, ...home]);
  if (isHarmful) warn(name, command, tally);
}

function warn(program: string, command: SimpleCommand, { reasons, always }: Tally): void {
  const reason = phrase("shell.destructive", { program, part: cut(command.text) });
  reasons.push(reason);
  always.push({ reason, command });
}

function record(words: readonly Word[], text: string, scope: Scope, isReadOnly: boolean): SimpleCommand {
  const isLiteral = words.every((word) => word.kind === "literal");
  const argv = isLiteral ? words.map((word) => (word.kind === "literal" ? word.value : "")) : null;
  const command = { words, argv, text, through: scope.through, isReadOnly, ...(isReadOnly ? {} : inputDigest(scope)) };
  scope.tally.commands.push(command);
  if (isReadOnly) return command;
  addMentions(scope, mentionsOf(words));
  addRemoved(scope, removedBy(words));
  return command;
}

function inputDigest({ input, facts }: Scope): Pick<SimpleCommand, "input"> {
  if (input === undefined) return {};
  return { input: input.text === null ? null : (facts.digest?.(input.text) ?? null) };
}

function judgeStart(start: NonNullable<Handled["starts"]>[number], name: string, scope: Scope): void {
  const through = [...scope.through, baseName(name)];
  if ("script" in start) {
    const { script } = start;
    const strange = strangeIn(script);
    if (strange) notWhole(scope.tally, strange);
    // A separate shell: loop variables of this one are unknown there.
    judgeSource(script, subshell(scope, { through, variables: new Variables() }));
    return;
  }
  const folders = start.isElsewhere ? [] : scope.folders;
  const inner = { ...scope, through, depth: scope.depth + 1, folders };
  const text = start.words.map((word) => word.text).join(" ");
  if (inner.depth > maxDepth || !countWords(scope.tally, start.words.length)) {
    tooDeep(scope.tally, text);
    return;
  }
  if (start.isGuess) {
    const [word] = start.words;
    const command = record(start.words, text, inner, false);
    if (word?.kind === "literal" && isDestructive(word.value)) warn(word.value, command, scope.tally);
    return;
  }
  judgeSimple(start.words, text, inner, null);
  // `command cd x` has changed the directory.
  if (!start.isElsewhere) adoptFolders(scope, inner);
}

function handle(name: string, args: readonly Word[], scope: Scope, feed: Feed | null): Handled {
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (builtin) return builtin(args, scope);
  const plain = name.replace(systemFolder, "");
  const outside = name.includes("/") && plain === name ? [phrase("shell.program", { program: name })] : [];
  const special =
    (shells.has(plain) ? judgeShellQuestion(plain, args) : null) ??
    unwrap(baseName(name), args) ??
    (plain === "find" ? judgeFind(args) : null) ??
    (plain === "xargs" ? judgeXargs(args, feed) : null) ??
    judgePython(name, args, scope, isHere(scope)) ??
    (isShim(name, scope) ? null : judgeSystemScript(plain, args));
  if (special) return { ...special, problems: [...outside, ...special.problems] };
  return judgeProgram(name, plain, args, scope);
}

/** `bash --version`, and `bash -n FILE`, which parses without running. */
function judgeShellQuestion(name: string, args: readonly Word[]): Handled | null {
  if (isQuestion(args)) return { problems: [] };
  const [option, file, more] = args;
  const isCheck = option?.kind === "literal" && option.value === "-n" && /^(?:bash|sh|dash)$/.test(name);
  if (!isCheck || file?.kind !== "literal" || more !== undefined || /^[-+]/.test(file.value)) return null;
  const path = pathOf(file);
  return path && { problems: [], reads: [path] };
}

function judgeProgram(name: string, plain: string, args: readonly Word[], scope: Scope): Handled {
  const language = Object.hasOwn(languages, plain) ? languages[plain] : undefined;
  const isRealProgram = (one: string): boolean => scope.facts.isRealProgram?.(one, isHere(scope)) === true;
  const isHeld = scope.facts.isHarmless?.(name, isHere(scope)) === true;
  const program = language ? null : (programNamed(name, isRealProgram) ?? (isHeld ? heldVersion(name) : null));
  if (!language && !program) return refused(phrase("shell.program", { program: cut(name) }));
  const isVersion = program !== null && (asksVersion(name, program) || program === heldVersion(name));
  const isVouchedFor = program?.isBuiltin || isVersion;
  if (!isVouchedFor && isShim(name, scope)) return refused(phrase("shell.stand_in", { program: cut(name) }));
  const link = args.find((word) => (word.kind === "one" || word.kind === "glob") && word.found === "entry");
  const linked =
    link && !followsNoLink(plain, args) ? [anyPath(phrase("shell.link", { program: name, part: cut(link.text) }))] : [];
  const given = args.map(placeholderFor);
  const judged = language ? language(given) : judgeTable(name, program!, given, scope);
  return { ...judged, reads: [...withoutPlaceholders(judged.reads ?? []), ...linked] };
}

/** The directory cannot have changed. */
function isHere({ folders }: Scope): boolean {
  return folders.length === 1 && folders[0] === "";
}

/** A version manager's shim takes the program's place. */
function isShim(name: string, { facts }: Scope): boolean {
  return !name.includes("/") && facts.isShim?.(name) === true;
}

function judgeTable(
  name: string,
  program: NonNullable<ReturnType<typeof programNamed>>,
  args: readonly Word[],
  scope: Scope,
): Handled {
  if (program.needsGit) return judgeGit(name, program, args, scope);
  const judged = judgeArguments(name, program, args);
  return "problem" in judged ? refused(judged.problem) : { problems: [], reads: judged.reads };
}

/** Another directory may be a repository with its own config. */
function judgeGit(
  name: string,
  program: NonNullable<ReturnType<typeof programNamed>>,
  args: readonly Word[],
  scope: Scope,
): Handled {
  // git gives special characters in names a meaning of its own, and shows stored content under such names.
  const piped = args.find(isPiped);
  if (piped) return refused(phrase("shell.unknown_path", { part: cut(piped.text) }));
  const place = placeOfGit(args, scope);
  if (place === null) return refused(phrase("shell.git_elsewhere"));
  const judged = judgeArguments(name, program, withCommits(place.args));
  if ("problem" in judged) return refused(judged.problem);
  scope.tally.usesGit = true;
  const there = judgeGitIn(place.scope, judged.reads);
  if ("problem" in there) return refused(there.problem);
  // The path after a revision (`HEAD:a`) is relative to the top level, wherever git runs.
  return { problems: [], reads: there.reads, folders: [...new Set([...place.scope.folders, ""])] };
}

/** Besides the destructive programs: these may change their operands. */
const changing = new Set("cp tee touch mkdir ln install rsync patch sed perl ed ex tar unzip".split(" "));

/** Words that may be paths, of a command about which nothing more is known: `cp a b`, `dd if=a`, `--file=a`. */
function mentionsOf(words: readonly Word[]): readonly MentionWord[] {
  const [name, ...args] = words;
  const program = name?.kind === "literal" ? name.value : "";
  const isChanged = isDestructive(program) || changing.has(baseName(program));
  // `rm -r .` and `cp -a .` include everything below; `mv` and `chown` affect a directory as a whole.
  const isDeep =
    isDestructive(program) || args.some((word) => word.kind === "literal" && /^-\w*[rRa]/.test(word.value));
  const mentioned = args.flatMap((word) => {
    const path = pathOf(named(word));
    return path === null || path.path === "" ? [] : [{ ...path, isDeep, isChanged }];
  });
  const saved = (readClient(words)?.saves ?? []).flatMap((word) => pathOf(word) ?? []);
  return [...mentioned, ...saved.map((path) => ({ ...path, isDeep: false, isChanged: true }))];
}

/** Strips the name of an option or setting. */
function named(word: Word): Word {
  if (word.kind !== "literal") return word;
  return { ...word, value: word.value.replace(/^-[^=]*=|^\w+=|^-.*$/s, "") };
}

const quoted = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
// An escaped `$`, backtick, quote or backslash within double quotes: shells and readers differ here.
const escaped = /"(?:[^"\\]|\\[^$`"\\])*\\[$`"\\]/;

/**
 * A word whose text alone does not determine its value: an unknown value, or characters that shells read differently. Harmless for most
 * programs, but the allowed command would not be the one that was read.
 */
function unsettled(program: string, words: readonly Word[]): Phrase | null {
  const word = words.find((one) => isUnknown(one) || (program !== "git" && hasCaret(one)) || escaped.test(one.text));
  return word ? phrase("shell.unsettled", { part: cut(word.text) }) : null;
}

/** For names found by `find`, numbers and piped words, enough is known to judge the program that gets them. */
function isUnknown(word: Word): boolean {
  if (isPiped(word)) return false;
  if (word.kind === "any") return true;
  return word.kind === "one" && !word.isNumber && !word.found;
}

function hasCaret({ text }: Word): boolean {
  return text.includes("^") && text.replace(quoted, "").includes("^");
}
