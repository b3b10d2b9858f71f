import { wishInChinese } from "./chinese.ts";
import { clausesOf, testCommand } from "./clauses.ts";
import { type Wish, wishInEnglish } from "./english.ts";

/** Every wording contains one of these: skips most clauses of a long text. */
const mentions = [
  ...[testCommand, "test", "spec", "suite", "verif", "valid", "check", "sure", "ensur", "confirm", "see", "prove"],
  ...["测", "验", "例", "归"],
];
/** The same before normalization, and names of test commands. */
const written = [...mentions, "測", "驗", "jest", "mocha", "tox", "phpunit"];

/** VF-1: whether the user asks to run the tests or not to run them; `null` = neither. */
export function wishForChecks(text: string): Wish | null {
  if (!hasAny(text.toLowerCase().normalize("NFKC"), written)) return null;
  let wish: Wish | null = null;
  // The last wish wins: the user may have changed their mind.
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
