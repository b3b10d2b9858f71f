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
  if (!readsBelow && objects.length > 0 && objects.every((word) => oneFile.test(word))) return [];
  // The paths then only choose commits, of which everything is shown.
  const hasLimits = showsTracked.hasPaths && !options.includes("--full-diff");
  const tracked = hasLimits ? words.slice(before ?? 0) : [];
  const { staged } = showsTracked;
  const isChangedOnly = staged !== undefined && !before && !options.some((option) => staged.test(option));
  return [{ path: ".", isGlob: false, tracked, isChangedOnly }];
}

export function textOf(word: Word): string {
  return word.kind === "literal" ? word.value : word.text;
}
