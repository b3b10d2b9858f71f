// Programs that are shell scripts on most systems, and start a listed program with the words they are given.
import { phrase } from "../../../contract/text/catalogue.ts";
import { literal } from "../arguments.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";
import { type Handled, refused, type StartedCommand } from "../wrapper/handled.ts";

type Started = (args: readonly Word[]) => readonly StartedCommand[] | null;

const before =
  (...words: readonly string[]): Started =>
  (args) => [{ words: [...words.map(literal), ...args] }];

/** `gunzip -c FILE`; without -c, -l or -t it writes. */
const gunzip: Started = ([option, ...files]) => {
  const found = option?.kind === "literal" ? /^-(?:c|l|t)$/.exec(option.value)?.[0] : undefined;
  return found === undefined ? null : [{ words: [literal("gzip"), literal(found === "-c" ? "-dc" : found), ...files] }];
};

const starts: Readonly<Record<string, Started>> = {
  egrep: before("grep", "-E"),
  fgrep: before("grep", "-F"),
  zcat: before("gzip", "-dc"),
  gunzip,
  zgrep,
  zegrep: (args) => zgrep([literal("-E"), ...args]),
  zfgrep: (args) => zgrep([literal("-F"), ...args]),
};

/** Further programs that these start, mostly to parse their words. */
export const helpers: Readonly<Record<string, readonly string[]>> = {
  zgrep: ["sed", "expr"],
  zegrep: ["zgrep", "sed", "expr"],
  zfgrep: ["zgrep", "sed", "expr"],
  tar: ["gzip", "bzip2", "xz", "zstd", "lzip", "lzma", "lzop", "compress"],
  dpkg: ["dpkg-query"],
};

/** `null` = another program. */
export function judgeSystemScript(name: string, args: readonly Word[]): Handled | null {
  const started = Object.hasOwn(starts, name) ? starts[name] : undefined;
  if (started === undefined) return null;
  const words = started(args);
  if (words) return { problems: [], starts: words };
  return refused(phrase("shell.operand", { program: name, part: cut(args.map(({ text }) => text).join(" ")) }));
}

const withValue = /^-[ABCem]$/;
const alone = /^-[cEFHhilLnoqsvwx]+$|^-[0-9]+$/;

/**
 * It quotes its words for a shell of its own, which failed several times for names with quotes and line ends; and it copies a pattern file
 * to a temporary file. So: known options, a pattern, and files by plain names.
 */
function zgrep(args: readonly Word[]): readonly StartedCommand[] | null {
  const values = args.map((word) => (word.kind === "literal" && !/['\n]/.test(word.value) ? word.value : null));
  const options: Word[] = [];
  let at = 0;
  let hasPattern = false;
  while (at < args.length) {
    const value = values[at] ?? "";
    const used = withValue.test(value) && args[at + 1] ? 2 : alone.test(value) ? 1 : 0;
    if (used === 0) break;
    hasPattern ||= value === "-e";
    options.push(...args.slice(at, at + used));
    at += used;
  }
  const rest = args.slice(at);
  const files = hasPattern ? rest : rest.slice(1);
  const isKnown = values.every((value) => value !== null) && !values.slice(at).some((value) => value?.startsWith("-"));
  if (!isKnown || files.length === 0) return null;
  const pattern = hasPattern ? [] : rest.slice(0, 1);
  return [{ words: [literal("grep"), ...options, ...pattern] }, { words: [literal("gzip"), literal("-dc"), ...files] }];
}
