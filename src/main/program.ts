import { type Lang, phrase, say, type TextKey } from "../contract/text/catalogue.ts";
import type { Io } from "../surface/headless/io.ts";
import { firstWord, parseFlags, usage } from "./flags.ts";
import { type CliCommand, COMMANDS, ROOT } from "./table.ts";
import { version } from "./version.ts";

export async function runProgram(args: readonly string[], io: Io, lang: Lang): Promise<number> {
  const { command, rest } = choose(args);
  const { flags, words } = parseFlags(rest, command.flags);
  if (flags.help) return print(io, help(command, lang));
  if (flags.version) return print(io, version());
  const [least, most] = command.words;
  if (words.length < least) throw usage(phrase("cli.missing_word", { form: `coder ${command.form}` }));
  if (words.length > most) throw usage(phrase("cli.extra_word", { word: words.slice(most).join(" ") }));
  return command.action(words, flags, io, lang);
}

/** The command's name may stand behind flags; `coder -p "…"` is `coder run "…"`, and `coder help` is `coder --help`. */
function choose(args: readonly string[]): { readonly command: CliCommand; readonly rest: readonly string[] } {
  if (args[0] === "help") return { command: ROOT, rest: ["--help"] };
  const everything = COMMANDS.flatMap((one) => one.flags);
  const at = args[0]?.startsWith("-") ? firstWord(args, everything) : 0;
  const name = args[at] === "-p" ? "run" : args[at];
  const command = COMMANDS.find((one) => nameOf(one) === name);
  return command ? { command, rest: args.toSpliced(at, 1) } : { command: ROOT, rest: args };
}

function nameOf(command: CliCommand): string {
  return command.form.split(" ")[0] ?? "";
}

function print(io: Io, text: string): number {
  io.out(`${text}\n`);
  return 0;
}

function help(command: CliCommand, lang: Lang): string {
  const text = (key: TextKey) => say(lang, phrase(key));
  const row = (left: string, about: string) => `  ${left.padEnd(26)} ${about}`;
  const flags = command.flags.map((one) => row(`--${one.name}${one.value ? ` <${one.value}>` : ""}`, text(one.about)));
  const commands = command === ROOT ? COMMANDS.map((one) => row(one.form, text(one.about))) : [];
  const form = command === ROOT ? "coder COMMAND [FLAGS]" : `coder ${command.form} [FLAGS]`;
  return [
    `${form}\n\n${text(command.about)}`,
    ...(commands.length > 0 ? [commands.join("\n")] : []),
    flags.join("\n"),
    `${text("cli.example")} ${command.example}${command === ROOT ? `\n${text("cli.help_slash")}` : ""}`,
  ].join("\n\n");
}
