import { Command, Option } from "commander";
import { type Lang, phrase, say, type TextKey } from "../contract/text/catalogue.ts";
import type { Io } from "../surface/headless/io.ts";
import { version } from "./version.ts";

/** Flags as commander hands them over; checked in `config/`. */
export interface Flags {
  readonly mode?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly lang?: string;
  readonly output?: string;
  readonly input?: string;
  readonly maxSteps?: string;
  readonly maxTokens?: string;
  readonly maxTime?: string;
  readonly resume?: string;
  readonly continue?: boolean;
  readonly fork?: boolean;
  readonly config?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

type Flag = readonly [form: string, text: TextKey];

const COMMON: readonly Flag[] = [
  ["--cwd <dir>", "cli.flag.cwd"],
  ["--lang <lang>", "cli.flag.lang"],
  ["--config <file>", "cli.flag.config"],
  ["--verbose", "cli.flag.verbose"],
];

const RUNNING: readonly Flag[] = [
  ["--mode <mode>", "cli.flag.mode"],
  ["--add-dir <dir...>", "cli.flag.add_dir"],
  ["--resume <id>", "cli.flag.resume"],
  ["--continue", "cli.flag.continue"],
  ["--fork", "cli.flag.fork"],
];

const MODEL: readonly Flag[] = [
  ["--model <provider/name>", "cli.flag.model"],
  ["--base-url <url>", "cli.flag.base_url"],
  ["--max-steps <n>", "cli.flag.max_steps"],
  ["--max-tokens <n>", "cli.flag.max_tokens"],
  ["--max-time <seconds>", "cli.flag.max_time"],
  ["--output <form>", "cli.flag.output"],
  ["--input <form>", "cli.flag.input"],
];

/** The command line. Actions are imported when they run, so that parsing stays cheap. */
export function makeProgram(io: Io, lang: Lang, onExit: (code: number) => void): Command {
  const text = (key: TextKey) => say(lang, phrase(key));
  const program = new Command("coder");
  const add = (name: string, key: TextKey, flags: readonly Flag[], example: string) => {
    const command = program
      .command(name)
      .description(text(key))
      .addHelpText("after", `\n${text("cli.example")} ${example}`);
    for (const [form, about] of flags) command.addOption(new Option(form, text(about)));
    return command;
  };
  program
    .description(text("cli.about"))
    .version(version(), "-V, --version", text("cli.flag.version"))
    .helpOption("-h, --help", text("cli.flag.help"))
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: () => {}, getOutHelpWidth: () => 100 })
    .argument("[word...]")
    .addHelpText("after", `\n${text("cli.example")} coder run "explain this repository"\n${text("cli.help_slash")}`);
  for (const [form, about] of COMMON) program.addOption(new Option(form, text(about)));
  program.action(async (words: string[], flags: Flags) =>
    onExit(await (await import("./welcome.ts")).welcome(words, flags, io, lang)),
  );
  add(
    "run [prompt...]",
    "cli.run",
    [...MODEL, ...RUNNING, ...COMMON],
    'coder run --mode auto-edit --output json "fix the failing test"',
  ).action(async (words: string[], _: unknown, command: Command) =>
    onExit(await (await import("./run.ts")).run(words.join(" "), command.optsWithGlobals(), io, lang)),
  );
  add(
    "tool <name> [json]",
    "cli.tool",
    [...RUNNING, ["--json", "cli.flag.json"], ...COMMON],
    `coder tool grep '{"pattern":"TODO"}' --json`,
  ).action(async (name: string, json: string | undefined, _: unknown, command: Command) =>
    onExit(await (await import("./tool.ts")).tool(name, json ?? "{}", command.optsWithGlobals(), io, lang)),
  );
  add("sessions", "cli.sessions", [["--json", "cli.flag.json"], ...COMMON], "coder sessions --json").action(
    async (_: unknown, command: Command) =>
      onExit(await (await import("./sessions.ts")).sessions(command.optsWithGlobals(), io, lang)),
  );
  add("replay <id>", "cli.replay", [["--json", "cli.flag.json"], ...COMMON], "coder replay ID").action(
    async (id: string, _: unknown, command: Command) =>
      onExit(await (await import("./replay.ts")).replayCommand(id, command.optsWithGlobals(), io, lang)),
  );
  for (const command of program.commands)
    command
      .exitOverride()
      .configureOutput({ writeOut: io.out, writeErr: () => {}, getOutHelpWidth: () => 100 })
      .helpOption("-h, --help", text("cli.flag.help"));
  return program;
}
