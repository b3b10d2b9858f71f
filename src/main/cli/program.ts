import { ownHome } from "../../config/home.ts";
import { unwrap } from "../../contract/error.ts";
import { type Lang, phrase } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { parseFlags, usage, wordPlaces } from "./flags.ts";
import { type CliCommand, COMMANDS, commandsIn, GROUPS, nameOf, ROOT, slotsOf } from "./table.ts";
import { version } from "./version.ts";

export async function runProgram(args: readonly string[], io: Io, lang: Lang): Promise<number> {
  const inner = await internal(args, io, lang);
  if (inner !== null) return inner;
  const first = firstPlace(args);
  if (args[first] === "help") return help(args.slice(first + 1), io, lang);
  if (args[first] === "version" && args.length === first + 1) return print(io, version());
  const { command, group, rest } = choose(args);
  const { flags, words } = parseFlags(rest, command.flags);
  if (flags.help) return help(group === null ? nameOf(command).split(" ") : [group], io, lang);
  if (flags.version) return print(io, version());
  if (group !== null) throw usage(phrase("cli.missing_word", { form: formOf(group) }));
  const { least, most } = slotsOf(command);
  if (words.length < least) throw usage(phrase("cli.missing_word", { form: `coder ${command.form}` }));
  if (words.length > most) throw usage(phrase("cli.extra_word", { word: words.slice(most).join(" ") }));
  if (!withoutHome.includes(nameOf(command))) unwrap(ownHome({ flags, env: process.env, cwd: process.cwd() }));
  return command.action(words, flags, io, lang);
}

/** Commands that diagnose the home directory, create their own or need none. */
const withoutHome: readonly string[] = ["doctor", "completion", "demo"];

/** Entry points for shells and `doctor`, hidden from users. */
async function internal(args: readonly string[], io: Io, lang: Lang): Promise<number | null> {
  const [name, ...rest] = args;
  if (name === "__complete") return (await import("./complete.ts")).complete(rest, io, lang);
  if (name === "__check-store") return (await import("../doctor/stores.ts")).checkStore(rest[0] ?? "", io);
  return null;
}

interface ChosenCommand {
  readonly command: CliCommand;
  readonly group: string | null;
  readonly rest: readonly string[];
}

const everything = COMMANDS.flatMap((one) => one.flags);

/** Of the command, which may follow flags. */
function firstPlace(args: readonly string[]): number {
  return args[0]?.startsWith("-") ? (wordPlaces(args, everything)[0] ?? -1) : 0;
}

/** The command may follow flags; `coder -p "…"` is `coder run "…"`. */
function choose(args: readonly string[]): ChosenCommand {
  const [first = -1, second = -1] =
    args[0]?.startsWith("-") || GROUPS[args[0] ?? ""] ? wordPlaces(args, everything) : [0];
  const name = args[first] === "-p" ? "run" : (args[first] ?? "");
  if (Object.hasOwn(GROUPS, name)) {
    const found = COMMANDS.find((one) => nameOf(one) === `${name} ${args[second] ?? ""}`);
    if (found) return { command: found, group: null, rest: args.filter((_, at) => at !== first && at !== second) };
    if (second !== -1)
      throw usage(phrase("cli.unknown_sub", { word: `${name} ${args[second] ?? ""}`, form: formOf(name) }));
    // With all flags of the group, so that `coder config --json` reports the missing command and not the flag.
    const command = { ...ROOT, flags: commandsIn(name).flatMap((one) => one.flags) };
    return { command, group: name, rest: args.toSpliced(first, 1) };
  }
  const command = COMMANDS.find((one) => nameOf(one) === name);
  return command
    ? { command, group: null, rest: args.toSpliced(first, 1) }
    : { command: ROOT, group: null, rest: args };
}

function formOf(group: string): string {
  const names = commandsIn(group).map((one) => nameOf(one).slice(group.length + 1));
  return `coder ${group} <${names.join("|")}>`;
}

async function help(words: readonly string[], io: Io, lang: Lang): Promise<number> {
  const { helpFor } = await import("./help.ts");
  const { words: topic } = parseFlags(words, ROOT.flags);
  return print(io, helpFor(topic, lang));
}

function print(io: Io, text: string): number {
  io.out(`${text}\n`);
  return 0;
}
