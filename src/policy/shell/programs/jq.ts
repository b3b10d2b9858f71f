import { phrase } from "../../../contract/text/catalogue.ts";
import { anyOf, isQuestion, pathOf } from "../arguments.ts";
import { isPlaceholder } from "../verdict/found.ts";
import type { PathWord, Program, ProgramJudgement, Word } from "../verdict/judgement.ts";

const flags = "ncCMaSsrjeR";
const long = new Set(
  "null-input compact-output color-output monochrome-output ascii-output sort-keys slurp raw-output raw-output0 join-output exit-status raw-input tab unbuffered stream seq"
    .split(" ")
    .map((name) => `--${name}`),
);
/** Reads a module from a file that the filter names. */
const readsModule = /\b(?:import|include|modulemeta)\b/;

/** Options, one filter, files. `-f`, `-L` and `--args` change what the operands are, and are not allowed. */
export const jq: Program = { judge: judgeJq };

function judgeJq(args: readonly Word[]): ProgramJudgement {
  if (isQuestion(args)) return { reads: [] };
  const reads: PathWord[] = [];
  let hasFilter = false;
  let isOnlyOperands = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    const path = word ? pathOf(word) : null;
    if (word === undefined) return problem(word);
    if (word.kind !== "literal") {
      // After the filter any word is acceptable: no option has an effect, but the file it may name is unknown.
      if (!hasFilter) return problem(word);
      reads.push(path ?? anyOf(word));
      continue;
    }
    const { value } = word;
    if (path === null) return problem(word);
    if (!isOnlyOperands && value.startsWith("-")) {
      if (value === "--") isOnlyOperands = true;
      else if (isOption(value)) continue;
      else {
        const taken = takeNamed(value, args[at + 1], args[at + 2]);
        if (taken === null) return problem(word);
        reads.push(...taken.reads);
        at += taken.words;
      }
    } else if (hasFilter) reads.push(path);
    else if (readsModule.test(value) || isPlaceholder(path)) return problem(word);
    else hasFilter = true;
  }
  return { reads };
}

function isOption(value: string): boolean {
  return value.startsWith("--")
    ? long.has(value)
    : value.length > 1 && [...value.slice(1)].every((f) => flags.includes(f));
}

function takeNamed(option: string, first: Word | undefined, second: Word | undefined) {
  if (option === "--indent") return isForm(first, /^[0-7]$/) ? { reads: [], words: 1 } : null;
  if (!isForm(first, /^[A-Za-z_]\w*$/) || second === undefined) return null;
  // The value may be any text, but must be one word.
  if (option === "--arg" || option === "--argjson") {
    return second.kind === "literal" || second.kind === "one" ? { reads: [], words: 2 } : null;
  }
  if (option !== "--slurpfile" && option !== "--rawfile") return null;
  const path = second.kind === "literal" ? pathOf(second) : null;
  return path ? { reads: [path], words: 2 } : null;
}

function isForm(word: Word | undefined, form: RegExp): boolean {
  return word?.kind === "literal" && form.test(word.value);
}

function problem(word: Word | undefined): ProgramJudgement {
  return { problem: phrase("shell.operand", { program: "jq", part: word?.text ?? "" }) };
}
