import type { Lang, TextKey } from "../contract/text/catalogue.ts";
import type { Io } from "../surface/headless/io.ts";
import { type Flag, type Flags, helpFlag, versionFlag } from "./flags.ts";

type Action = (words: readonly string[], flags: Flags, io: Io, lang: Lang) => Promise<number>;

export interface CliCommand {
  /** As shown in help; the first word is the name. */
  readonly form: string;
  readonly about: TextKey;
  readonly flags: readonly Flag[];
  readonly example: string;
  /** How many words it takes: at least, at most. */
  readonly words: readonly [number, number];
  readonly action: Action;
}

const flag = (name: string, value: string | null, about: TextKey): Flag => ({ name, value, about });

const COMMON: readonly Flag[] = [
  flag("cwd", "dir", "cli.flag.cwd"),
  flag("lang", "lang", "cli.flag.lang"),
  flag("config", "file", "cli.flag.config"),
  flag("verbose", null, "cli.flag.verbose"),
  helpFlag,
];

const RUNNING: readonly Flag[] = [
  flag("mode", "mode", "cli.flag.mode"),
  { name: "add-dir", value: "dir", about: "cli.flag.add_dir", isList: true },
  flag("resume", "id", "cli.flag.resume"),
  flag("continue", null, "cli.flag.continue"),
  flag("fork", null, "cli.flag.fork"),
  flag("from-snapshot", null, "cli.flag.from_snapshot"),
];

const MODEL: readonly Flag[] = [
  flag("model", "provider/name", "cli.flag.model"),
  flag("base-url", "url", "cli.flag.base_url"),
  flag("max-steps", "n", "cli.flag.max_steps"),
  flag("max-tokens", "n", "cli.flag.max_tokens"),
  flag("max-time", "seconds", "cli.flag.max_time"),
  flag("output", "form", "cli.flag.output"),
  flag("input", "form", "cli.flag.input"),
];

const JSON_FLAG: readonly Flag[] = [flag("json", null, "cli.flag.json")];
const ANY = Number.POSITIVE_INFINITY;

/** Actions are imported when they run, so that the command line itself costs next to nothing at start. */
export const COMMANDS: readonly CliCommand[] = [
  {
    form: "run [prompt…]",
    about: "cli.run",
    flags: [...MODEL, ...RUNNING, ...COMMON],
    example: 'coder run --mode auto-edit --output json "fix the failing test"',
    words: [0, ANY],
    action: async (words, flags, io, lang) => (await import("./run.ts")).run(words.join(" "), flags, io, lang),
  },
  {
    form: "tool <name> [json]",
    about: "cli.tool",
    flags: [...RUNNING, ...JSON_FLAG, ...COMMON],
    example: `coder tool grep '{"pattern":"TODO"}' --json`,
    words: [1, 2],
    action: async ([name = "", json = "{}"], flags, io) => (await import("./tool.ts")).tool(name, json, flags, io),
  },
  {
    form: "sessions",
    about: "cli.sessions",
    flags: [...JSON_FLAG, ...COMMON],
    example: "coder sessions --json",
    words: [0, 0],
    action: async (_, flags, io) => (await import("./sessions.ts")).sessions(flags, io),
  },
  {
    form: "replay <id>",
    about: "cli.replay",
    flags: [...JSON_FLAG, ...COMMON],
    example: "coder replay ID",
    words: [1, 1],
    action: async ([id = ""], flags, io, lang) => (await import("./replay.ts")).replayCommand(id, flags, io, lang),
  },
];

export const ROOT: CliCommand = {
  form: "",
  about: "cli.about",
  flags: [...COMMON, versionFlag],
  example: 'coder run "explain this repository"',
  words: [0, ANY],
  action: async (words, flags, io, lang) => (await import("./welcome.ts")).welcome(words, flags, io, lang),
};
