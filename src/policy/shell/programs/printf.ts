import { phrase } from "../../../contract/text/catalogue.ts";
import type { Program } from "../verdict/judgement.ts";

// `%n` sets a variable, such as PATH, and so does `-v`. Widths are limited because the shell pads in memory.
const format =
  /^(?:[^%]|%%|%[-+ #0']*[0-9]{0,4}(?:\.[0-9]{0,3})?(?:hh?|ll?|[Ljtz])?[diouxXeEfFgGaAcsbqQ]|%-?[0-9]{0,4}\([^()]*\)T)*$/s;

/** Words after the format are only printed. */
export const printf: Program = {
  judge(args) {
    const [first, second] = args;
    const isSeparated = first?.kind === "literal" && first.value === "--";
    const word = isSeparated ? second : first;
    const isFine = word?.kind === "literal" && format.test(word.value) && (isSeparated || !word.value.startsWith("-"));
    return isFine ? { reads: [] } : { problem: phrase("shell.value", { program: "printf", part: word?.text ?? "" }) };
  },
  takesAnyWord: true,
  isBuiltin: true,
};
