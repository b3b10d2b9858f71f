import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import { mayBeOption, pathOf } from "../arguments.ts";
import { time } from "../programs/forms.ts";
import { maxDepth } from "../scope.ts";
import { baseName } from "../verdict/destructive.ts";
import { anyPath, looksAtNamesOnly } from "../verdict/found.ts";
import type { FoundKind, PathWord, Within, Word } from "../verdict/judgement.ts";
import { namesAsked } from "../verdict/removed.ts";
import { cut } from "../verdict/tally.ts";
import { type Handled, refused, type StartedCommand } from "./handled.ts";

/** The argument of a primary. */
type Primary = "nothing" | "text" | "number" | "path" | "name" | "time";

// Never here: -delete, -ok, -okdir, -fprint, -fprint0, -fprintf, -fls write or ask; -files0-from reads directories from a file; -follow,
// like -L, leads out of the workspace, but may appear where it is easily overlooked.
const primaries = new Map<string, Primary>([
  ...all("nothing", "print print0 ls prune quit true false empty executable readable writable"),
  ...all("nothing", "nouser nogroup depth d daystart mount xdev noleaf nowarn warn ignore_readdir_race"),
  ...all("nothing", "noignore_readdir_race"),
  ...all("text", "regex iregex regextype type xtype perm user group fstype size printf context"),
  ...all("text", "flags"),
  ...all("time", "newermt newerat newerct"),
  ...all("number", "maxdepth mindepth mtime atime ctime mmin amin cmin used uid gid links inum"),
  ...all(
    "path",
    "newer anewer cnewer samefile newermm neweraa newercc newermc newerma newercm newerca neweram newerac",
  ),
  ...all("name", "name iname path ipath wholename iwholename lname ilname"),
]);

const behindLinks = anyPath(phrase("shell.link", { program: "find", part: "-L" }));

function all(primary: Primary, names: string): readonly (readonly [string, Primary])[] {
  return names.split(" ").map((name) => [`-${name}`, primary] as const);
}

/** The position in the words, and the findings so far. */
interface Walk {
  readonly words: readonly Word[];
  at: number;
  readonly start: string;
  readonly points: readonly PathWord[];
  readonly reads: PathWord[];
  readonly problems: Phrase[];
  readonly starts: StartedCommand[];
  /** Names searched for: a program that reads contents reads these. */
  readonly named: Word[];
  /** The output of each printing action; `null` = something else than whole names. */
  readonly prints: (FoundKind | null)[];
  /** Symlinks are followed, so nothing found is known not to be one. */
  readonly follows: boolean;
  readonly within: Within;
  depth: number;
  isDestructive: boolean;
  /** It is unknown whether or which command it starts. */
  isUnclear: boolean;
}

/**
 * Names that find passes on begin with a starting point, so they are never options. A name may be a symlink, which a program that reads
 * contents would follow out of the workspace. So such a program gets names only after `-type f` or `-type d`, which exclude symlinks unless
 * -L or -follow is given; programs that look at names and attributes get any.
 */
export function judgeFind(args: readonly Word[]): Handled {
  let from = 0;
  while (isLiteral(args[from], /^-(?:[HLP]|O[0-3])$/)) from += 1;
  const follows = args.slice(0, from).some((word) => isLiteral(word, /^-L$/));
  const end = args.findIndex((word, index) => index >= from && beginsExpression(word));
  const at = end === -1 ? args.length : end;
  const begins = args.slice(from, at);
  const open = begins.find((word) => pathOf(word) === null);
  if (open) return refused(phrase("shell.unknown_path", { part: cut(open.text) }));
  // With -H, find follows a symlink that another search has found.
  const link = begins.find((word) => word.kind === "glob" && word.found);
  if (link && from > 0) return refused(phrase("shell.link", { program: "find", part: cut(link.text) }));
  if (args.length === 1 && isLiteral(args[0], /^--?(?:help|version)$/)) return { problems: [] };
  const start = startOf(begins);
  const points = begins.flatMap((word) => pathOf(word) ?? []);
  const places = points.length > 0 ? points : [{ path: ".", isGlob: false }];
  const walk: Walk = {
    ...{ words: args, at, start, points: places, reads: [...places, ...(follows ? [behindLinks] : [])], follows },
    within: { places, names: namesAsked(args.slice(at)) },
    ...{ problems: [], starts: [], named: [], prints: [], depth: 0, isDestructive: false, isUnclear: false },
  };
  const found = judgeAlternatives(walk, "entry");
  const odd = begins.find((word) => !isPlainStart(word));
  if (odd && walk.starts.length > 0) walk.problems.push(phrase("shell.find.word", { part: cut(odd.text) }));
  if (walk.at < args.length && walk.problems.length === 0) walk.problems.push(problemAt(walk));
  if (walk.problems.length > 0) collectRemaining(walk);
  return conclude(walk, found, odd === undefined);
}

/** How the names that find passes on begin; one start is judged for all of them. */
function startOf(begins: readonly Word[]): string {
  const starts = begins.flatMap((word) =>
    word.kind === "glob" ? [word.start] : word.kind === "literal" ? [word.value] : [],
  );
  return starts[0] ?? ".";
}

/**
 * No program misreads a file name with such a start: `x=1` is an assignment, `@x` a list of options, `a:b` another host; after a slash only
 * the colon is special. For a wildcard only the part before the slash is known.
 */
function isPlainStart(word: Word): boolean {
  if (word.kind === "glob" && !word.found) return /^[\w./~][\w./~ -]*\//.test(word.start);
  const plain = /^(?!$)(?:[\p{L}_.~][\p{L}\p{N}_.~ -]*)?(?:\/[\p{L}\p{N}_.~ @+%-]*)*$/u;
  return word.kind !== "literal" || plain.test(word.value);
}

/** After something that is not allowed there may still be commands that deny rules must see. */
function collectRemaining(walk: Walk): void {
  walk.isUnclear ||= walk.words.slice(walk.at).some(({ kind }) => kind !== "literal");
  while (walk.at < walk.words.length) {
    const word = walk.words[walk.at]!;
    if (isLiteral(word, /^-(?:exec|execdir|ok|okdir)$/)) judgeExec(walk, "entry", isLiteral(word, /dir$/));
    else walk.at += 1;
    walk.isDestructive ||= isLiteral(word, /^-delete$/);
  }
}

function conclude(walk: Walk, found: FoundKind, isPlain: boolean): Handled {
  const { problems, reads, starts, isDestructive } = walk;
  const named = namedPaths(walk);
  const isReading = starts.some((one) => "words" in one && !isNamesOnly(one.words));
  const prints = walk.prints.length === 0 && starts.length === 0 ? [found] : walk.prints;
  const isExact = walk.prints.length > 0 && starts.length === 0 && !prints.includes(null);
  const feed = {
    start: walk.start,
    found: prints.every((one) => one === "file") ? ("file" as const) : ("entry" as const),
    isExact,
    within: walk.within,
    read: [...named, ...walk.points.map((point) => ({ ...point, isDeep: true }))],
  };
  return {
    problems,
    reads: isReading ? [...reads, ...feed.read] : reads,
    starts,
    isDestructive,
    isUnclear: walk.isUnclear,
    ...(starts.length === 0 && isPlain ? { feed } : {}),
  };
}

function isNamesOnly(words: readonly Word[]): boolean {
  const [name, ...args] = words;
  return name?.kind === "literal" && looksAtNamesOnly(baseName(name.value), args);
}

/** Only the names matter, as possible names of secrets: the search itself excludes symlinks. */
function namedPaths({ named, start }: Walk): readonly PathWord[] {
  return named.flatMap((word) =>
    word.kind === "literal"
      ? [{ path: word.value.includes("/") ? word.value : `${start}/${word.value}`, isGlob: false }]
      : [],
  );
}

function isLiteral(word: Word | undefined, form: RegExp): boolean {
  return word?.kind === "literal" && form.test(word.value);
}

function beginsExpression(word: Word): boolean {
  return mayBeOption(word) || isLiteral(word, /^[(),!]/);
}

function problemAt(walk: Walk): Phrase {
  const word = walk.words[walk.at] ?? walk.words.at(-1);
  return phrase("shell.find.word", { part: cut(word?.text ?? "find") });
}

/** Terms joined by `-o` or `,`. Returns what is certain about a name that matches one of them. */
function judgeAlternatives(walk: Walk, known: FoundKind): FoundKind {
  let found = judgeTerms(walk, known);
  while (walk.problems.length === 0 && isLiteral(walk.words[walk.at], /^(?:-o|-or|,)$/)) {
    const isList = isLiteral(walk.words[walk.at], /^,$/);
    walk.at += 1;
    const next = judgeTerms(walk, known);
    // In `a , b` only b counts.
    found = isList || found === "file" ? next : "entry";
  }
  return found;
}

/** Terms in sequence: each is evaluated only for names that match all before it. */
function judgeTerms(walk: Walk, known: FoundKind): FoundKind {
  let found = known;
  while (walk.at < walk.words.length && walk.problems.length === 0) {
    const word = walk.words[walk.at]!;
    if (isLiteral(word, /^(?:-o|-or|,|\))$/)) break;
    if (isLiteral(word, /^(?:-a|-and)$/)) walk.at += 1;
    else if (judgeTerm(walk, found) === "file") found = "file";
  }
  return found;
}

function judgeTerm(walk: Walk, known: FoundKind): FoundKind {
  const isNot = isLiteral(walk.words[walk.at], /^(?:!|-not)$/);
  while (isLiteral(walk.words[walk.at], /^(?:!|-not)$/)) walk.at += 1;
  if (walk.at >= walk.words.length) walk.problems.push(problemAt(walk));
  else {
    const found = judgePositive(walk, known);
    if (!isNot) return found;
  }
  return "entry";
}

function judgePositive(walk: Walk, known: FoundKind): FoundKind {
  if (!isLiteral(walk.words[walk.at], /^\($/)) return judgePrimary(walk, known);
  walk.at += 1;
  walk.depth += 1;
  if (walk.depth > maxDepth) walk.problems.push(problemAt(walk));
  const found = judgeAlternatives(walk, known);
  if (!isLiteral(walk.words[walk.at], /^\)$/)) walk.problems.push(problemAt(walk));
  walk.at += 1;
  walk.depth -= 1;
  return found;
}

function judgePrimary(walk: Walk, known: FoundKind): FoundKind {
  const word = walk.words[walk.at]!;
  const name = word.kind === "literal" ? word.value : "";
  if (name === "-exec" || name === "-execdir") return judgeExec(walk, known, name === "-execdir");
  const primary = primaries.get(name);
  if (primary === undefined) {
    walk.problems.push(
      name === "-delete"
        ? phrase("shell.find.delete", { part: name })
        : phrase("shell.find.word", { part: cut(word.text) }),
    );
    return "entry";
  }
  if (name === "-print0") walk.prints.push(known);
  if (name === "-print" || name === "-printf" || name === "-ls") walk.prints.push(null);
  walk.at += 1;
  if (primary !== "nothing") judgeArgument(walk, primary);
  const kind = walk.words[walk.at - 1];
  return name === "-type" && !walk.follows && isLiteral(kind, /^[fd](?:,[fd])*$/) ? "file" : "entry";
}

function judgeArgument(walk: Walk, primary: Exclude<Primary, "nothing">): void {
  const word = walk.words[walk.at];
  const isFine =
    word !== undefined &&
    (primary === "number"
      ? isLiteral(word, /^[+-]?[0-9]{1,15}$/) || (word.kind === "one" && word.isNumber === true)
      : primary === "path"
        ? pathOf(word) !== null && word.kind === "literal"
        : primary === "time"
          ? isLiteral(word, time)
          : isArgument(word));
  if (!isFine) walk.problems.push(problemAt(walk));
  else if (primary === "path") walk.reads.push(pathOf(word)!);
  else if (primary === "name") walk.named.push(word);
  walk.at += 1;
}

/**
 * An unquoted glob meant for find may expand to several words: the first is the argument, and each further one stops find with an error,
 * unless it is a word of the expression. So no such word may match the glob: one that takes an argument would consume the next primary, and
 * its argument would become a primary.
 */
function isArgument(word: Word): boolean {
  if (word.kind === "literal" || word.kind === "one") return true;
  if (word.kind === "any" || word.pattern.includes("/")) return false;
  if (/^[^-!(),]/.test(word.start)) return true;
  const form = new RegExp(`^${formOf(word.pattern)}$`, "s");
  return !harmful.some((name) => form.test(name));
}

/** A superset of the glob: anything from its first bracket on. */
function formOf(pattern: string): string {
  const bracket = pattern.indexOf("[");
  const known = bracket === -1 ? pattern : `${pattern.slice(0, bracket)}*`;
  return known.replace(/\\(.?)|[*?]|[^\w-]/gs, (sign, escaped: string | undefined) => {
    if (sign === "*") return ".*";
    if (sign === "?") return ".";
    return (escaped ?? sign).replace(/\W/, "\\$&");
  });
}

const harmful = [
  ...primaries.keys(),
  ...[..."aBcmt"].flatMap((one) => [..."aBcmt"].map((other) => `-newer${one}${other}`)),
  ..."-acl -Bmin -Bnewer -Btime -mnewer -sparse -xattr -xattrname".split(" "),
  ..."-delete -rm -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -files0-from -follow".split(" "),
  ...["-L", "!", "(", ")", ",", "-o", "-or", "-a", "-and", "-not"],
];

/** The command up to `;` or `{} +`. `{}` stands for a name, also inside a word. */
function judgeExec(walk: Walk, known: FoundKind, isInFolder: boolean): FoundKind {
  const { words } = walk;
  const from = walk.at + 1;
  const end = words.findIndex(
    (word, at) =>
      at >= from && (isLiteral(word, /^;$/) || (isLiteral(word, /^\+$/) && isLiteral(words[at - 1], /^\{\}$/))),
  );
  if (end <= from) {
    walk.problems.push(problemAt(walk));
    walk.isUnclear = true;
    walk.starts.push(...(words[from] ? [{ words: words.slice(from) }] : []));
    walk.at = words.length;
    return "entry";
  }
  const open = words.slice(from, end).find(mayEndExec);
  if (open) walk.problems.push(phrase("shell.find.word", { part: cut(open.text) }));
  const isMany = isLiteral(words[end], /^\+$/);
  const start = isInFolder ? "./" : walk.start;
  const command = words
    .slice(from, end)
    .map((word) => withFoundName(word, { start, found: known, within: walk.within }, isMany));
  walk.starts.push({ words: command, isElsewhere: isInFolder });
  walk.at = end + 1;
  return "entry";
}

/** It may become `;`, `+` or `{}`: then find sees another end of the command, and words of its own after it. */
function mayEndExec(word: Word): boolean {
  if (word.kind === "literal") return false;
  if (word.kind === "one" && (word.isNumber || word.isInteger || word.isCount)) return false;
  return word.kind === "any" || word.start === "" || /^[;+{]/.test(word.start);
}

interface FoundName {
  readonly start: string;
  readonly found: FoundKind;
  readonly within: Within;
}

function withFoundName(word: Word, foundName: FoundName, isMany: boolean): Word {
  const { text } = word;
  const { start } = foundName;
  if (word.kind !== "literal" || !word.value.includes("{}")) return word;
  if (word.value === "{}") {
    return isMany ? { kind: "glob", pattern: start, text, ...foundName } : { kind: "one", text, ...foundName };
  }
  // `{}/x` and `x{}`: an unknown path. The name itself begins with the starting point.
  const before = word.value.slice(0, word.value.indexOf("{}"));
  return { kind: "one", start: before === "" ? start : before, text, isPiped: true };
}
