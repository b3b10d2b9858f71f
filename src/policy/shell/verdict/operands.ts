import type { Word } from "./judgement.ts";

/** Words that are not options, as far as known. */
export function operandsOf(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex((word) => word.kind === "literal" && word.value === "--");
  const isOption = (word: Word, at: number): boolean =>
    (end === -1 || at < end) && word.kind === "literal" && word.value.startsWith("-");
  return args.filter((word, at) => at !== end && !isOption(word, at));
}

export function isGiven(args: readonly Word[], form: RegExp): boolean {
  return args.some((word) => word.kind === "literal" && form.test(word.value));
}
