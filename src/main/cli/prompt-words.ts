import { nearest } from "../../config/file/nearest.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { usage } from "./flags.ts";
import { firstWords } from "./table.ts";

/** Could be a command name, misspelt or not. */
const BARE = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Text with a space or punctuation is a prompt; so are several words, unless the first is a misspelt command. A single bare word is not:
 * it is far more likely a misspelt command.
 */
export function promptOf(words: readonly string[]): string {
  const [first = "", ...more] = words;
  if (!BARE.test(first)) return words.join(" ");
  const names = ["help", ...firstWords()];
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
