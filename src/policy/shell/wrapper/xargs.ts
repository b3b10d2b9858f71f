import { phrase } from "../../../contract/text/catalogue.ts";
import { literal } from "../arguments.ts";
import { type Options, takeOptions } from "../options.ts";
import type { Feed } from "../scope.ts";
import { baseName } from "../verdict/destructive.ts";
import { looksAtNamesOnly } from "../verdict/found.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";
import type { Handled } from "./handled.ts";
import { possibleCommands } from "./unwrap.ts";

// Not -a (words from a file), -p and -o (the terminal), -E, -e, -l, -i and --max-lines with their optional values.
const form = {
  ...{ flags: "0rtxi", valued: "ILnPsd", long: "null no-run-if-empty verbose exit replace" },
  longValued: "replace max-args max-procs max-chars delimiter",
};

/** Programs without an option that reads contents, unlike `file -f` and `du --files0-from`. */
const namesWhole = new Set(["ls", "stat", "readlink", "realpath"]);

/**
 * Names that end with a zero byte arrive whole, as found by find: not options, and not paths elsewhere. Otherwise a file named `a
 * /etc/passwd` becomes two words, and one named `a -x` an option. Then only programs that take any word as text, or that look at names and
 * attributes, get them.
 */
export function judgeXargs(args: readonly Word[], feed: Feed | null): Handled {
  const options = takeOptions(args, form);
  if (options === null || isAmbiguous(args, options)) {
    const part = cut(textOf(args));
    return {
      problems: [phrase("shell.wrapper_unknown", { program: "xargs", part })],
      starts: possibleCommands(args),
      isUnclear: true,
    };
  }
  const { given, rest } = options;
  const command = rest.length > 0 ? rest : [literal("echo")];
  const mark = markOf(given);
  const isExact = feed?.isExact === true && isSplitAtZero(given);
  const item = itemWord(feed, isExact, takesPieces(command), mark !== null);
  const words = mark === null ? [...command, item] : command.map((word) => withItem(word, mark, item));
  const isReading = feed && "found" in item && !isNamesOnly(command);
  const reads = isReading ? feed.read : [];
  return { problems: [], reads, starts: [{ words }] };
}

/** With another delimiter, their order decides. */
function isSplitAtZero(given: Options["given"]): boolean {
  const names = given.map(([name]) => name);
  return names.some((name) => /^(?:0|null)$/.test(name)) && !names.some((name) => /^d(?:elimiter)?$/.test(name));
}

/** The last one of -I, -n and -L wins; `-i0` is -i with the value 0. */
function isAmbiguous(args: readonly Word[], { given, rest }: Options): boolean {
  const written = args.slice(0, args.length - rest.length);
  if (written.some((word) => word.kind === "literal" && /^-[0rtx]*i./s.test(word.value))) return true;
  // Several words in place of a value: the second one becomes the command. And a wildcard may expand to the mark.
  const isOpen = (word: Word): boolean => word.kind !== "literal" && !(word.kind === "one" && word.isNumber);
  if (given.some(([, value]) => value !== null && isOpen(value))) return true;
  if (markOf(given) !== null && rest.some(isOpen)) return true;
  const names = given.map(([name]) => name);
  const isEmpty = given.some(([name, value]) => name === "I" && (value?.kind !== "literal" || value.value === ""));
  return isEmpty || (markOf(given) !== null && names.some((name) => /^(?:[nL]|max-args)$/.test(name)));
}

function textOf(args: readonly Word[]): string {
  return ["xargs", ...args.map(({ text }) => text)].join(" ");
}

function isNamesOnly([name, ...args]: readonly Word[]): boolean {
  return name?.kind === "literal" && looksAtNamesOnly(baseName(name.value), args);
}

function takesPieces(command: readonly Word[]): boolean {
  const [name] = command;
  return name?.kind === "literal" && namesWhole.has(baseName(name.value)) && isNamesOnly(command);
}

function markOf(given: readonly (readonly [string, Word | null])[]): string | null {
  const found = given.findLast(([name]) => name === "I" || name === "i" || name === "replace");
  if (found === undefined) return null;
  const [, value] = found;
  return value?.kind === "literal" && value.value !== "" ? value.value : "{}";
}

function itemWord(feed: Feed | null, isExact: boolean, takesAny: boolean, isOne: boolean): Word {
  const text = "{}";
  // Split at blanks it may be anything; at worst a list of names elsewhere.
  const found = feed === null ? null : isExact ? feed.found : takesAny ? "entry" : null;
  if (found === null || feed === null)
    return isOne ? { kind: "one", start: "", text, isPiped: true } : { kind: "any", text, isPiped: true };
  // The names of pieces are unknown.
  const { start } = feed;
  const within = isExact ? { within: feed.within } : {};
  return isOne
    ? { kind: "one", start, text, found, ...within }
    : { kind: "glob", pattern: start, start, text, found, ...within };
}

function withItem(word: Word, mark: string, item: Word): Word {
  if (word.kind !== "literal") return word;
  if (word.value === mark) return { ...item, text: word.text };
  const at = word.value.indexOf(mark);
  return at === -1 ? word : { kind: "one", start: word.value.slice(0, at), text: word.text, isPiped: true };
}
