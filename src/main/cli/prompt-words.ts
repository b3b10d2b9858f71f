import { nearest } from "../../config/file/nearest.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { usage } from "./flags.ts";
import { COMMANDS, nameOf } from "./table.ts";

/** What the name of a command looks like, rightly spelt or not. */
const BARE = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * The prompt of `coder WORDS`. What has a blank or a sign in it is one; several words are one together, unless the first is a
 * command's name with a slip in it; a single bare word never is: it is far more often a misspelt command than a task.
 */
export function promptOf(words: readonly string[]): string {
  const [first = "", ...more] = words;
  if (!BARE.test(first)) return words.join(" ");
  const names = [...new Set(["help", ...COMMANDS.map((one) => nameOf(one).split(" ")[0] ?? "")])];
  const near = more.length === 0 ? nearest(first, names) : nearest(first, names, first.length < 6 ? 1 : 2);
  if (more.length > 0 && near === null) return words.join(" ");
  const text =
    near === null
      ? phrase("cli.prompt_and_word", { word: first })
      : phrase("terminal.no_command_near", { word: first, near });
  const task = visible(words.join(" ")).slice(0, 80);
  throw usage(
    text,
    phrase(more.length === 0 ? "cli.prompt_and_word.advice" : "terminal.quotes.advice", { word: task }),
  );
}
