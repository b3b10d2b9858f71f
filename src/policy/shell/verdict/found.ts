import type { Phrase } from "../../../contract/text/catalogue.ts";
import type { PathWord, Word } from "./judgement.ts";

// No word of a command can hold this: whatever path ends with it was put there here.
const mark = "\0";

/** Programs that print names and attributes of what they are given, and open nothing. */
const namesOnly = new Set([..."echo printf true false : test [ basename dirname readlink realpath stat du".split(" ")]);

/** Whether a link among its words leads it nowhere. `file` describes a link as a link, but opens everything else. */
export function followsNoLink(name: string, args: readonly Word[]): boolean {
  return name === "file" || looksAtNamesOnly(name, args);
}

/** `ls` lists the folder behind a link, unless told to show the link. */
export function looksAtNamesOnly(name: string, args: readonly Word[]): boolean {
  if (name !== "ls") return namesOnly.has(name);
  // Not behind a letter with a value: `-Id` hides what is called d.
  return args.some((word) => word.kind === "literal" && /^-[^-ITw]*[ld]/.test(word.value));
}

/** A path in the place of one that a search hands over, for judges that know paths only. */
export function standIn(word: Word): Word {
  if ((word.kind !== "one" && word.kind !== "glob") || !word.found) return word;
  const folder = word.start.endsWith("/") ? word.start : `${word.start}/`;
  if (word.kind === "one") return { kind: "literal", value: folder + mark, text: word.text };
  return { kind: "glob", pattern: folder + mark, start: folder, text: word.text };
}

/** A name that a search hands over may hold a line end and anything behind it: as a program it could be any. */
export function isKnownText(word: Word): word is Extract<Word, { kind: "literal" }> {
  return word.kind === "literal" && !word.value.endsWith(mark);
}

export function isPlaceholder({ path }: PathWord): boolean {
  return path.endsWith(mark);
}

/** A name that is known only when the command runs, though it is nothing but a name. */
export function anyPath(anywhere: Phrase): PathWord {
  return { path: "/", isGlob: false, isDeep: true, anywhere };
}

export function isPiped(word: Word): boolean {
  return (word.kind === "one" || word.kind === "any") && word.isPiped === true;
}

/** The folder that the search began in is among the reads already. */
export function withoutStandIns(reads: readonly PathWord[]): readonly PathWord[] {
  return reads.filter((read) => !isPlaceholder(read));
}
