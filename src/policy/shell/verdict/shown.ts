import type { PathWord, Program, Word } from "./judgement.ts";

// The content of one file, whose path is a separate read: `HEAD:a`.
const oneFile = /^[\w.@~^/-]+:[^:]/;

/** The stored content that git prints. If there is a `--`, the `before` operands before it are revisions and the rest are paths. */
export function shownBy(
  { showsTracked, readsBelow }: Program,
  options: readonly string[],
  operands: readonly Word[],
  before: number | null,
): readonly PathWord[] {
  const isShown = showsTracked?.isShown(options) ?? false;
  if (showsTracked === undefined || !(isShown || showsTracked.printsObjects)) return [];
  const words = operands.map(textOf);
  const objects = showsTracked.hasPaths ? words.slice(0, before ?? undefined) : words.slice(-1);
  const isCertain = before !== null || !showsTracked.hasPaths;
  if (!isShown) return objectsOnly(objects, isCertain);
  const { staged } = showsTracked;
  const isNamed = !readsBelow && objects.length > 0 && objects.every((word) => oneFile.test(word));
  // Two directories are compared with all their contents, a single one is only listed.
  if (isNamed && staged === undefined) return objectsOnly(objects, true);
  const limits = isNamed ? objects.map((word) => word.slice(word.indexOf(":") + 1)) : words.slice(before ?? 0);
  const tracked = showsTracked.hasPaths && !options.some((option) => widening.test(option)) ? limits : [];
  const isStaged = options.some((option) => staged?.test(option));
  const isChangedOnly = staged !== undefined && !before && !isStaged && !isNamed;
  const shows = isStaged ? "head" : (showsTracked.past ?? "ever");
  const past = { shows, revisions: objects, isCertain: isNamed || isCertain } as const;
  return [{ path: ".", isGlob: false, tracked, isChangedOnly, past }];
}

/** Adds no path beyond those that are read anyway. */
function objectsOnly(objects: readonly string[], isCertain: boolean): readonly PathWord[] {
  return objects.map((path) => {
    const past = { shows: "none", revisions: [path], isCertain, isObjectsOnly: true } as const;
    return { path, isGlob: false, past };
  });
}

/** Merges both lists, so that a path is not read twice because it may also name an object. */
export function withShown(reads: readonly PathWord[], shown: readonly PathWord[]): readonly PathWord[] {
  const objects = new Map(shown.filter(({ past }) => past?.isObjectsOnly).map((word) => [word.path, word]));
  const all = reads.map((read) => {
    const past = objects.get(read.path)?.past;
    objects.delete(read.path);
    return past ? { ...read, past } : read;
  });
  return [...all, ...shown.filter((word) => !word.past?.isObjectsOnly || objects.has(word.path))];
}

/** With these, paths only select commits, which are shown whole, or a file is shown under its earlier names. */
const widening = /^--(?:full-diff|follow)$/;

export function textOf(word: Word): string {
  return word.kind === "literal" ? word.value : word.text;
}
