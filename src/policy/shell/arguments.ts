import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { anyPath, isPiped, isPlaceholder } from "./verdict/found.ts";
import type { PathWord, Program, ProgramJudgement, Role, Word } from "./verdict/judgement.ts";
import { shownBy, textOf, withShown } from "./verdict/shown.ts";
import { cut } from "./verdict/tally.ts";

type Fit = { readonly problem: Phrase } | { readonly reads: readonly PathWord[] };
const fits: Fit = { reads: [] };

const number = /^[+-]?[0-9]{1,15}$/;

/** Whether the program's table row allows all words. A word that may become an option is not an operand. */
export function judgeArguments(name: string, program: Program, args: readonly Word[]): ProgramJudgement {
  if (program.judge) return program.judge(args);
  if (program.commands) return judgeSubcommand(name, program.commands, args);
  const forbiddenWord = args.find((word) => mayBegin(word, program.neverBegins));
  if (forbiddenWord) return { problem: phrase("shell.operand", { program: name, part: cut(forbiddenWord.text) }) };
  // `fits` judges the words together, and only the form of piped words is known.
  const pipedWord = program.fits && args.find(isPiped);
  if (pipedWord) return { problem: phrase("shell.operand", { program: name, part: cut(pipedWord.text) }) };
  if (program.fits?.(args.map((word) => (word.kind === "glob" ? word.pattern : textOf(word)))) === false) {
    return { problem: phrase("shell.operand", { program: name, part: cut(args.map(({ text }) => text).join(" ")) }) };
  }
  const reads: PathWord[] = [];
  const operands: Word[] = [];
  const options: string[] = [];
  // Globs in the place of an option's value: the first name is the value, the others are operands.
  const spilled = new Set<Word>();
  let hasFirstByOption = false;
  let isOpen = true;
  let before = 0;
  let at = 0;
  while (at < args.length) {
    const word = args[at]!;
    if (isOpen && word.kind === "literal" && word.value === "--") {
      isOpen = false;
      before = operands.length;
    } else if (isOpen && isOption(word, program)) {
      const option = judgeOption(name, program, word, args[at + 1]);
      if ("problem" in option) return option;
      reads.push(...option.reads);
      options.push(textOf(word));
      hasFirstByOption ||= word.kind === "literal" && standsForFirst(program, word.value);
      const late = operands.length > 0 ? judgeLate(name, program, args.slice(at, at + option.used)) : fits;
      if ("problem" in late) return late;
      reads.push(...late.reads);
      if (option.spills) operands.push(option.spills);
      if (option.spills) spilled.add(option.spills);
      at += option.used - 1;
    } else {
      operands.push(word);
      if (program.hasOrderedOptions) isOpen = false;
    }
    at += 1;
  }
  const judged = judgeOperands(name, program, operands, { skipped: hasFirstByOption ? 1 : 0, spilled });
  if ("problem" in judged) return judged;
  const pattern = hasFirstByOption || program.operands?.[0] !== "text" ? 0 : 1;
  const shown = shownBy(program, options, operands.slice(pattern), isOpen ? null : Math.max(0, before - pattern));
  // Piped words may include options that name files.
  const piped = program.takesAnyWord ? args.filter(isPiped).map(anyOf) : [];
  const follows = followed(name, program, args);
  // An operand may be a directory: its contents are read wherever links lead.
  const open = follows.length > 0 ? judged.reads.map(({ isFile: _, ...read }) => read) : judged.reads;
  const isListing = program.listsUnless && !args.some((word) => program.listsUnless?.test(textOf(word)));
  const isNamed = program.showsNames && !program.showsTracked?.isShown(options);
  const named = isNamed ? open.map((read) => ({ ...read, isNamed })) : open;
  const listed = isListing ? named.map((read) => (read.isGlob ? read : { ...read, isListed: true })) : named;
  const places = [...obeying(program, args, [...reads, ...below(program, args, listed)]), ...piped, ...follows];
  return {
    reads: withShown(
      places.flatMap((read) => opened(program, read)),
      shown,
    ),
  };
}

/** With `readsBelow`, reads everything below the operands. Options do not name search roots. */
function below({ readsBelow }: Program, args: readonly Word[], operands: readonly PathWord[]): readonly PathWord[] {
  const isBelow = args.some((word) => readsBelow?.test(textOf(word)));
  if (!isBelow) return operands;
  const places = operands.length > 0 ? operands : [{ path: ".", isGlob: false }];
  return places.map((place) => ({ ...place, isDeep: true }));
}

/** Only for programs that walk directories: they may do so without operands as well. */
function followed(name: string, { follows, roams }: Program, args: readonly Word[]): readonly PathWord[] {
  const word = args.find((one) => one.kind === "literal" && (roams || follows?.test(one.value)));
  return word ? [anyPath(phrase("shell.link", { program: name, part: cut(word.text) }))] : [];
}

function obeying({ obeys }: Program, args: readonly Word[], reads: readonly PathWord[]): readonly PathWord[] {
  if (!obeys || !args.some((word) => obeys.test(textOf(word)))) return reads;
  const places = reads.length > 0 ? reads : [{ path: ".", isGlob: false }];
  return places.map((place) => ({ ...place, obeys: true }));
}

function opened({ endings = [], hasGlobs }: Program, read: PathWord): readonly PathWord[] {
  if (read.anywhere) return [read];
  const more = endings.map((ending) => ({ ...read, path: read.path + ending }));
  return [read, ...more].map((one) => (hasGlobs ? { ...one, isGlob: true } : one));
}

function judgeSubcommand(
  name: string,
  commands: NonNullable<Program["commands"]>,
  args: readonly Word[],
): ProgramJudgement {
  const first = args[0];
  const known = first?.kind === "literal" && first.value !== "" ? own(commands, first.value) : undefined;
  if (known && first) return judgeArguments(`${name} ${first.text}`, known, args.slice(1));
  const other = own(commands, "");
  if (other) return judgeArguments(name, other, args);
  return { problem: phrase("shell.operand", { program: name, part: cut(first?.text ?? "") }) };
}

function mayBegin(word: Word, start: string | undefined): boolean {
  if (start === undefined) return false;
  if (word.kind === "any") return true;
  if (word.kind === "literal") return word.value.startsWith(start);
  if (word.found || (word.kind === "one" && word.isNumber)) return false;
  return word.start.startsWith(start) || start.startsWith(word.start);
}

/** `-e x`, `-ex`, `-ie x`, `--regexp=x`. */
function standsForFirst(program: Program, arg: string): boolean {
  if (!program.firstBy) return false;
  const long = arg.startsWith("--") ? arg.split("=", 1)[0]! : null;
  if (long !== null) return program.firstBy.includes(long);
  for (const letter of arg.slice(1)) {
    if (program.firstBy.includes(`-${letter}`)) return true;
    if (own(program.valued, letter) !== undefined) return false;
  }
  return false;
}

function isOption(word: Word, program: Program): boolean {
  if (word.kind === "literal") return word.value.length > 1 && word.value.startsWith("-");
  return program.takesAnyWord ? word.kind === "glob" && isAttachedText(program, word) : mayBeOption(word);
}

/** Exactly `--version` or `--help`. */
export function isQuestion([word, ...more]: readonly Word[]): boolean {
  return more.length === 0 && word?.kind === "literal" && /^--(?:help|version)$/.test(word.value);
}

/** Whether the word may begin with a dash. */
export function mayBeOption(word: Word): boolean {
  if (word.kind === "any") return true;
  if (word.kind === "literal") return word.value.startsWith("-");
  if (word.found || (word.kind === "one" && word.isNumber)) return false;
  return word.start === "" || word.start.startsWith("-");
}

/** Where getopt does not reorder, an option after an operand is a file name, and so is its value. */
function judgeLate(name: string, program: Program, words: readonly Word[]): Fit {
  if (program.hasLateOptions) return fits;
  if (program.rest === undefined) {
    return { problem: phrase("shell.operand", { program: name, part: cut(words[0]?.text ?? "") }) };
  }
  if (program.rest !== "read") return fits;
  return {
    reads: words.flatMap((word): readonly PathWord[] => {
      if (word.kind === "glob") return [{ path: word.pattern, isGlob: true, mayBeOption: true }];
      return word.kind === "literal" ? [{ path: word.value, isGlob: false }] : [];
    }),
  };
}

type OptionFit =
  | { readonly problem: Phrase }
  | { readonly reads: readonly PathWord[]; readonly used: 1 | 2; readonly spills?: Word };

function judgeOption(name: string, program: Program, word: Word, next: Word | undefined): OptionFit {
  if (word.kind !== "literal") return judgeOpenOption(name, program, word);
  const arg = word.value;
  if (program.hasCount && /^-[0-9]{1,15}$/.test(arg)) return { reads: [], used: 1 };
  return arg.startsWith("--") ? judgeLong(name, program, word, arg, next) : judgeShort(name, program, word, arg, next);
}

/** `--include="$x"` and `--include=*.ts`: the name is known, the value is any text. */
function judgeOpenOption(name: string, program: Program, word: Word): OptionFit {
  if (isAttachedText(program, word)) return { reads: [], used: 1 };
  return { problem: phrase("shell.maybe_option", { program: name, part: cut(word.text) }) };
}

/** Every name that the glob expands to begins with the option. */
function isAttachedText(program: Program, word: Word): boolean {
  const start = word.kind === "glob" || word.kind === "one" ? word.start : "";
  const known = /^(--[a-z][a-z-]*)=/.exec(start)?.[1];
  return known !== undefined && (own(program.attached, known) ?? own(program.long, known)) === "text";
}

function judgeLong(name: string, program: Program, word: Word, arg: string, next: Word | undefined): OptionFit {
  const equals = arg.indexOf("=");
  const key = equals === -1 ? arg : arg.slice(0, equals);
  const role = own(program.long, key);
  if (equals === -1) {
    if (role === null) return { reads: [], used: 1 };
    if (role === undefined) return refuse(name, word);
    return judgeValue({ name, program }, role, word, next, 2);
  }
  const attached = own(program.attached, key) ?? role ?? undefined;
  if (attached === undefined) return refuse(name, word);
  return judgeValue({ name, program }, attached, word, literal(arg.slice(equals + 1)), 1);
}

function judgeShort(name: string, program: Program, word: Word, arg: string, next: Word | undefined): OptionFit {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg[at]!;
    const role = own(program.valued, letter);
    const rest = arg.slice(at + 1);
    const maybe = own(program.maybeValued, letter);
    if (maybe !== undefined && rest !== "") return judgeValue({ name, program }, maybe, word, literal(rest), 1);
    if (maybe !== undefined) continue;
    if (rest !== "" && isMisread(program, role)) return refuse(name, word);
    if (role !== undefined) {
      return rest === ""
        ? judgeValue({ name, program }, role, word, next, 2)
        : judgeValue({ name, program }, role, word, literal(rest), 1);
    }
    if (!program.flags?.includes(letter)) return refuse(name, word);
  }
  return { reads: [], used: 1 };
}

function isMisread({ joins }: Program, role: Role | undefined): boolean {
  return joins === (role === undefined ? "none" : "flags");
}

function judgeValue(
  { name, program }: { readonly name: string; readonly program: Program },
  role: Role,
  option: Word,
  value: Word | undefined,
  used: 1 | 2,
): OptionFit {
  if (value === undefined) return refuse(name, option);
  if (value.kind === "glob" && !value.found && role === "text" && used === 2 && takesNames(program)) {
    // The names are checked like reads: none of them may begin with a dash.
    return { reads: [pathOf(value)!], used, spills: value };
  }
  // A glob may become several words, of which only the first is the value.
  if (value.kind === "glob" || value.kind === "any") {
    return { problem: phrase("shell.value", { program: name, part: cut(`${option.text} ${value.text}`) }) };
  }
  const fit = judgeRole(name, role, value);
  return "problem" in fit ? fit : { reads: fit.reads, used };
}

/** Whether every operand is text or a file. */
function takesNames({ operands = [], rest, showsTracked }: Program): boolean {
  return [...operands, rest ?? "none"].every((role) => role === "text" || role === "read") && !showsTracked;
}

function refuse(program: string, word: Word): { readonly problem: Phrase } {
  return { problem: phrase("shell.option", { program, part: cut(word.text) }) };
}

function judgeOperands(
  name: string,
  program: Program,
  operands: readonly Word[],
  { skipped, spilled }: { readonly skipped: 0 | 1; readonly spilled: ReadonlySet<Word> },
): Fit {
  const roles = (program.operands ?? []).slice(skipped);
  if (operands.length + skipped < (program.atLeast ?? 0)) {
    return { problem: phrase("shell.too_few", { program: name }) };
  }
  const reads: PathWord[] = [];
  // After a word that can expand to several, later positions are unknown.
  let isLoose = false;
  let at = -1;
  for (const word of operands) {
    if (!spilled.has(word)) at += 1;
    isLoose ||= word.kind === "glob" || word.kind === "any";
    const possible = isLoose ? [...roles.slice(Math.max(0, at)), program.rest] : [roles[at] ?? program.rest];
    for (const role of possible) {
      const fit = judgeOperand(name, role, word, program);
      if ("problem" in fit) return fit;
      reads.push(...fit.reads);
    }
  }
  return { reads };
}

function judgeOperand(name: string, role: Role | undefined, word: Word, program: Program): Fit {
  const isInput =
    (program.needsFiles && word.kind === "literal" && word.value === "-") || (copiesPipes(program) && mayBePipe(word));
  if (role === undefined || isInput) {
    return { problem: phrase("shell.operand", { program: name, part: cut(word.text) }) };
  }
  if (word.kind === "any" && !program.takesAnyWord) {
    return { problem: phrase("shell.maybe_option", { program: name, part: cut(word.text) }) };
  }
  return judgeRole(name, role, word);
}

/** To read backwards or to probe the type, it copies piped input to a temporary file. */
function copiesPipes({ needsFiles, neverBegins }: Program): boolean {
  return needsFiles === true || neverBegins === "-";
}

/** Such as `<(…)`. */
function mayBePipe(word: Word): boolean {
  return word.kind === "any" || (word.kind === "one" && !word.found);
}

function judgeRole(name: string, role: Role, word: Word): Fit {
  if (role === "text") return word.kind === "glob" ? { reads: listedBy(word.pattern) } : fits;
  if (role === "read") return readOf(word);
  if (role === "file") return fileOf(name, word);
  if (role === "revision") return revisionOf(word);
  const isFine =
    word.kind === "literal"
      ? (role === "number" ? number : role).test(word.value)
      : role === "number" && word.kind === "one" && word.isNumber === true;
  return isFine ? fits : { problem: phrase("shell.value", { program: name, part: cut(word.text) }) };
}

function readOf(word: Word): Fit {
  if (isPiped(word)) return { reads: [anyOf(word)] };
  const path = pathOf(word);
  return { reads: [path ?? anyOf(word)] };
}

/** Any path: only the run tells which one. */
export function anyOf({ text }: Pick<Word, "text">): PathWord {
  return anyPath(phrase("shell.unknown_path", { part: cut(text) }));
}

/** A name found by a search may be a directory. */
function fileOf(program: string, word: Word): Fit {
  if (word.kind === "one" && !word.found) return { reads: [anyOf(word)] };
  const path = word.kind === "literal" ? pathOf(word) : null;
  if (path === null || isPlaceholder(path))
    return { problem: phrase("shell.value", { program, part: cut(word.text) }) };
  return { reads: [{ ...path, isFile: true }] };
}

// Real commands have no more colons than this.
const maxColons = 16;

/** The colon before the path depends on the rest: `HEAD:a`, `:0:a`, `HEAD^{/b:c}:a`, `:(top)a`. */
function revisionOf(word: Word): Fit {
  const path = pathOf(word);
  if (path === null || path.path.split(":").length > maxColons)
    return { problem: phrase("shell.unknown_path", { part: cut(word.text) }) };
  const parts = path.path.split(":").map((_, at, all) => all.slice(at).join(":"));
  return { reads: parts.map((part, at) => ({ ...path, path: at === 0 ? part : part.replace(/^\([^)]*\)/, "") })) };
}

/** `null` = unknown path. */
export function pathOf(word: Word): PathWord | null {
  // Only an unquoted tilde is the home directory: in quotes, and before a wildcard, it is part of a name.
  if (word.kind === "glob") return { path: word.pattern.replace(/^\\?~/, "./~"), isGlob: true };
  if (word.kind !== "literal") return null;
  const isName = word.value.startsWith("~") && !word.isHome;
  return { path: isName ? `./${word.value}` : word.value, isGlob: false };
}

/** Expanding a glob lists directories, even if the names are only text to the program. */
export function listedBy(pattern: string): readonly PathWord[] {
  return pattern.includes("/") ? [{ path: pattern.replace(/^\\?~/, "./~"), isGlob: true, isNamed: true }] : [];
}

export function literal(value: string): Word {
  return { kind: "literal", value, text: value };
}

function own<Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
