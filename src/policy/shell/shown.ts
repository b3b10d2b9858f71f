import type { PathWord, Program, Word } from "./judgement.ts";

// The content of one file, whose path is a read of its own: `HEAD:a`.
const oneFile = /^[\w.@~^/-]+:[^:]/;

/** What git prints of the files that it keeps. Behind `--` (`before` so many operands) there are paths only, and before it none. */
export function shownBy(
  { showsTracked, readsBelow }: Program,
  options: readonly string[],
  operands: readonly Word[],
  before: number | null,
): readonly PathWord[] {
  if (!showsTracked?.isShown(options)) return [];
  const words = operands.map(textOf);
  const objects = showsTracked.hasPaths ? words.slice(0, before ?? undefined) : words.slice(-1);
  const { staged } = showsTracked;
  const isNamed = !readsBelow && objects.length > 0 && objects.every((word) => oneFile.test(word));
  // Two folders are compared with all that is in them, one is only listed.
  if (isNamed && staged === undefined) return [];
  const limits = isNamed ? objects.map((word) => word.slice(word.indexOf(":") + 1)) : words.slice(before ?? 0);
  const tracked = showsTracked.hasPaths && !options.some((option) => widening.test(option)) ? limits : [];
  const isStaged = options.some((option) => staged?.test(option));
  const isChangedOnly = staged !== undefined && !before && !isStaged && !isNamed;
  const shows = isStaged ? "head" : (showsTracked.past ?? "ever");
  const past = { shows, revisions: objects, isCertain: isNamed || before !== null || !showsTracked.hasPaths } as const;
  return [{ path: ".", isGlob: false, tracked, isChangedOnly, past }];
}

/** Paths then only choose commits, of which everything is shown, or a file is shown under the names it had before. */
const widening = /^--(?:full-diff|follow)$/;

export function textOf(word: Word): string {
  return word.kind === "literal" ? word.value : word.text;
}
