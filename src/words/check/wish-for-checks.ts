import { wishInChinese } from "./chinese.ts";
import { clausesOf, testCommand } from "./clauses.ts";
import { type Wish, wishInEnglish } from "./english.ts";

/** One of them is in every wording: most of a long text need not be looked at. */
const mentions = [
  ...[testCommand, "test", "spec", "suite", "verif", "valid", "check", "sure", "ensur", "confirm", "see", "prove"],
  ...["测", "验", "例", "归"],
];
/** The same as they may be written, and what else a command that runs tests may be called by. */
const written = [...mentions, "測", "驗", "jest", "mocha", "tox", "phpunit"];

/** VF-1: whether the person's words ask that the tests be run, or that they be not; `null` = they say nothing about it. */
export function wishForChecks(text: string): Wish | null {
  if (!hasAny(text.toLowerCase().normalize("NFKC"), written)) return null;
  let wish: Wish | null = null;
  // Who says both has changed their mind.
  for (const clause of clausesOf(text)) {
    if (hasAny(clause.text, mentions)) wish = wishInEnglish(clause) ?? wishInChinese(clause.text) ?? wish;
  }
  return wish;
}

function hasAny(text: string, words: readonly string[]): boolean {
  for (const word of words) if (text.includes(word)) return true;
  return false;
}

export function asksForChecks(text: string): boolean {
  return wishForChecks(text) === "asked";
}
