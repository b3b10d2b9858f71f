import type { Phrase } from "../../../contract/text/catalogue.ts";
import type { PathWord, Word } from "./judgement.ts";

// No word of a command can contain this character, so a path that ends with it is our placeholder.
const mark = "\0";

/** Programs that print names and attributes of their operands, and open nothing. */
const namesOnly = new Set([..."echo printf true false : test [ basename dirname readlink realpath stat du".split(" ")]);

/** Whether the program does not follow a symlink among its words. `file` describes a symlink as such, but opens everything else. */
export function followsNoLink(name: string, args: readonly Word[]): boolean {
  return name === "file" || looksAtNamesOnly(name, args);
}

/** `ls` lists the directory behind a symlink, unless told to show the symlink. */
export function looksAtNamesOnly(name: string, args: readonly Word[]): boolean {
  if (name !== "ls") return namesOnly.has(name);
  // Not after a letter with a value: `-Id` hides entries named d.
  return args.some((word) => word.kind === "literal" && /^-[^-ITw]*[ld]/.test(word.value));
}

/** Replaces a name found by a search with a placeholder path, for judges that know only paths. */
export function placeholderFor(word: Word): Word {
  if ((word.kind !== "one" && word.kind !== "glob") || !word.found) return word;
  const folder = word.start.endsWith("/") ? word.start : `${word.start}/`;
  if (word.kind === "one") return { kind: "literal", value: folder + mark, text: word.text };
  return { kind: "glob", pattern: folder + mark, start: folder, text: word.text };
}

/** Found names may contain a line end and any text after it: as a program text they could be anything. */
export function isKnownText(word: Word): word is Extract<Word, { kind: "literal" }> {
  return word.kind === "literal" && !word.value.endsWith(mark);
}

export function isPlaceholder({ path }: PathWord): boolean {
  return path.endsWith(mark);
}

/** An unknown path, which only the run determines. */
export function anyPath(anywhere: Phrase): PathWord {
  return { path: "/", isGlob: false, isDeep: true, anywhere };
}

export function isPiped(word: Word): boolean {
  return (word.kind === "one" || word.kind === "any") && word.isPiped === true;
}

/** The start directory of the search is already among the reads. */
export function withoutPlaceholders(reads: readonly PathWord[]): readonly PathWord[] {
  return reads.filter((read) => !isPlaceholder(read));
}
