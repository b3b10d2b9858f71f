import { pathOf } from "./arguments.ts";
import { baseName } from "./destructive.ts";
import type { PathWord, Word } from "./judgement.ts";

/** What they are given is gone afterwards, or empty. */
const removing = new Set("rm unlink shred srm wipe truncate".split(" "));

/** The files and folders that a command takes away; `null` = one that is known only when it runs. */
export function removedBy([name, ...args]: readonly Word[]): readonly (PathWord | null)[] {
  const program = name?.kind === "literal" ? baseName(name.value) : "";
  if (removing.has(program)) return operandsOf(args).map(pathOf);
  if (program === "dd") return args.flatMap((word) => written(word) ?? []);
  if (program === "git") return cleans(args) ? [{ path: ".", isGlob: false }] : [];
  const begin = args.findIndex((word) => word.kind === "literal" && /^[-(!]/.test(word.value));
  const deletes = args.some((word) => word.kind === "literal" && word.value === "-delete");
  if (program !== "find" || !deletes) return [];
  return begin === 0 ? [{ path: ".", isGlob: false }] : args.slice(0, begin).map(pathOf);
}

function operandsOf(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex((word) => word.kind === "literal" && word.value === "--");
  const isOption = (word: Word, at: number): boolean =>
    (end === -1 || at < end) && word.kind === "literal" && word.value.startsWith("-");
  return args.filter((word, at) => at !== end && !isOption(word, at));
}

/** `of=x` */
function written(word: Word): readonly (PathWord | null)[] | null {
  if (word.kind !== "literal") return [null];
  return word.value.startsWith("of=") ? [{ path: word.value.slice(3), isGlob: false }] : null;
}

/** `git clean -x` takes what is ignored too, and that is not watched. */
function cleans(args: readonly Word[]): boolean {
  const isClean = args.some((word) => word.kind === "literal" && word.value === "clean");
  return isClean && args.some((word) => word.kind !== "literal" || /^-\w*[xX]/.test(word.value));
}
