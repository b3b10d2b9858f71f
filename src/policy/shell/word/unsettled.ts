import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import { isPiped } from "../verdict/found.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";

const quoted = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
// Behind it stands what the shell does not do in quotes. Shells differ in it, and so do readers.
const escaped = /"(?:[^"\\]|\\[^$`"\\])*\\[$`"\\]/;

/**
 * A word of which the text alone does not tell what becomes of it: an unknown value, or signs that shells read differently.
 * Harmless for most programs, but then what is allowed is not what was read.
 */
export function unsettled(program: string, words: readonly Word[]): Phrase | null {
  const word = words.find((one) => isUnknown(one) || (program !== "git" && hasCaret(one)) || escaped.test(one.text));
  return word ? phrase("shell.unsettled", { part: cut(word.text) }) : null;
}

/** Of what `find` found, of numbers, and of what a pipe hands over, enough is known to judge the program that gets it. */
function isUnknown(word: Word): boolean {
  if (isPiped(word)) return false;
  if (word.kind === "any") return true;
  return word.kind === "one" && !word.isNumber && !word.found;
}

function hasCaret({ text }: Word): boolean {
  return text.includes("^") && text.replace(quoted, "").includes("^");
}
