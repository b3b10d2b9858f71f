import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import { isPiped } from "../verdict/found.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";

const quoted = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
// A backslash in double quotes before a character that the shell does not escape there, then one that it does. Shells and readers differ
// here.
const escaped = /"(?:[^"\\]|\\[^$`"\\])*\\[$`"\\]/;

/**
 * A word whose text alone does not determine its value: an unknown value, or characters that shells read differently. Harmless for most
 * programs, but the allowed command would not be the one that was read.
 */
export function unsettled(program: string, words: readonly Word[]): Phrase | null {
  const word = words.find((one) => isUnknown(one) || (program !== "git" && hasCaret(one)) || escaped.test(one.text));
  return word ? phrase("shell.unsettled", { part: cut(word.text) }) : null;
}

/** For names found by `find`, numbers and piped words, enough is known to judge the program that gets them. */
function isUnknown(word: Word): boolean {
  if (isPiped(word)) return false;
  if (word.kind === "any") return true;
  return word.kind === "one" && !word.isNumber && !word.found;
}

function hasCaret({ text }: Word): boolean {
  return text.includes("^") && text.replace(quoted, "").includes("^");
}
