import type { CommandPattern } from "../../contract/permission.ts";
import { baseName } from "../shell/verdict/destructive.ts";
import type { SimpleCommand, Word } from "../shell/verdict/judgement.ts";
import { takesOrders } from "./input.ts";
import { isTailHarmless } from "./prefix.ts";

/**
 * Whether a command may be one that a rule forbids. An unknown word may be any word; options before the next named word are skipped (`git
 * -C x push` is `git push`); a program matches by name in any directory.
 */
export function mayBeCommand({ argv, isExact }: CommandPattern, { words }: SimpleCommand): boolean {
  const width = argv.length;
  // `row[j]`: from this word on, the command may match the pattern from `j` on.
  let next = Array.from({ length: width + 1 }, (_, j) => j === width);
  let afterNext = next.map(() => false);
  for (let i = words.length - 1; i >= 0; i -= 1) {
    const word = words[i] as Word;
    const row: boolean[] = [];
    for (let j = width; j >= 0; j -= 1) {
      const named = argv[j];
      if (named === undefined) row[j] = !isExact || (isSeveral(word) && next[j] === true);
      else if (isSeveral(word)) row[j] = next[j] === true || (mayBeWord(word, named, j) && row[j + 1] === true);
      else if (mayBeWord(word, named, j) && next[j + 1] === true) row[j] = true;
      else row[j] = !isExact && j > 0 && mayBeOption(word) && (next[j] === true || afterNext[j] === true);
    }
    [afterNext, next] = [next, row];
  }
  return next[0] === true;
}

/** Whether a command is certainly one that a rule allows: word for word, skipping nothing. */
export function isCommand({ argv, isExact, isCautious, input }: CommandPattern, command: SimpleCommand): boolean {
  const { words } = command;
  if (isExact && words.length !== argv.length) return false;
  if (input === undefined ? takesOrders(command) : input !== command.input) return false;
  const isNamed = argv.every((named, at) => {
    const word = words[at];
    return word?.kind === "literal" && word.value === named;
  });
  return isNamed && (isExact || !isCautious || isTailHarmless(words));
}

function isSeveral(word: Word): boolean {
  return word.kind === "any" || word.kind === "glob";
}

function mayBeWord(word: Word, named: string, at: number): boolean {
  if (at === 0) return word.kind !== "literal" || programOf(word.value) === programOf(named);
  if (word.kind === "literal") return word.value === named;
  return word.kind === "any" || named.startsWith(word.start);
}

function mayBeOption(word: Word): boolean {
  if (word.kind === "literal") return word.value.startsWith("-");
  return "start" in word && (word.start === "" || word.start.startsWith("-"));
}

/** The name without directories; on disks that ignore case `/bin/RM` is `rm`. */
function programOf(word: string): string {
  return baseName(word).toLowerCase();
}
