import { exportForms } from "../../contract/export.ts";
import { modes } from "../../contract/task.ts";
import type { Lang, TextKey } from "../../contract/text/catalogue.ts";
import { runners } from "../../contract/verification.ts";
import type { Io } from "../../surface/headless/io.ts";
import { type Flag, type Flags, helpFlag, versionFlag } from "./flags.ts";

type Action = (words: readonly string[], flags: Flags, io: Io, lang: Lang) => Promise<number>;

export interface CliCommand {
  /** As shown in help: the name, then its words: `<required>`, `[optional]`, `[any number…]`. */
  readonly form: string;
  readonly about: TextKey;
  readonly flags: readonly Flag[];
  readonly example: string;
  readonly action: Action;
}

const flag = (name: string, value: string | null, about: TextKey): Flag => ({ name, value, about });
const choice = (name: string, value: string, about: TextKey, choices: readonly string[]): Flag => ({
  ...flag(name, value, about),
  choices,
});

const COMMON: readonly Flag[] = [
  flag("cwd", "dir", "cli.flag.cwd"),
  choice("lang", "lang", "cli.flag.lang", ["en", "zh"]),
  flag("config", "file", "cli.flag.config"),
  flag("verbose", null, "cli.flag.verbose"),
  helpFlag,
];

const MODE = choice("mode", "mode", "cli.flag.mode", modes);
const ADD_DIR: Flag = { name: "add-dir", value: "dir", about: "cli.flag.add_dir", isList: true };
const OPENING: readonly Flag[] = [
  flag("fork", null, "cli.flag.fork"),
  flag("from-snapshot", null, "cli.flag.from_snapshot"),
];

const RULES: readonly Flag[] = [
  { name: "allow", value: "rule", about: "permission.flag.allow", isList: true },
  { name: "deny", value: "rule", about: "permission.flag.deny", isList: true },
];
const SAFETY: readonly Flag[] = [
  ...RULES,
  flag("sandbox", null, "cli.flag.sandbox"),
  flag("no-sandbox", null, "cli.flag.no_sandbox"),
  flag("trust", null, "trust.flag.trust"),
];

const RUNNING: readonly Flag[] = [
  MODE,
  ...SAFETY,
  ADD_DIR,
  flag("resume", "id", "cli.flag.resume"),
  flag("continue", null, "cli.flag.continue"),
  ...OPENING,
];

const CHOSEN: readonly Flag[] = [
  flag("model", "provider/name", "cli.flag.model"),
  flag("max-steps", "n", "cli.flag.max_steps"),
  flag("max-tokens", "n", "cli.flag.max_tokens"),
  flag("max-cost", "usd", "cli.flag.max_cost"),
  flag("max-time", "seconds", "cli.flag.max_time"),
  flag("system-prompt-file", "file", "cli.flag.system_prompt_file"),
  flag("append-system-prompt", "text", "cli.flag.append_system_prompt"),
];

const BASE_URL = flag("base-url", "url", "cli.flag.base_url");
const FALLBACK = flag("fallback", null, "cli.flag.fallback");
const MODEL: readonly Flag[] = [
  ...CHOSEN,
  BASE_URL,
  FALLBACK,
  choice("output", "form", "cli.flag.output", ["text", "json", "stream-json"]),
  flag("output-schema", "file", "cli.flag.output_schema"),
  choice("input", "form", "cli.flag.input", ["text", "stream-json"]),
];

const JSON_FLAG: readonly Flag[] = [flag("json", null, "cli.flag.json")];
const WHERE: readonly Flag[] = [flag("user", null, "cli.flag.user"), flag("project", null, "cli.flag.project")];
const ONLINE: readonly Flag[] = [flag("online", null, "cli.flag.online")];
const SESSIONS: readonly Flag[] = [
  flag("all", null, "cli.flag.all"),
  flag("limit", "n", "cli.flag.limit"),
  flag("older-than", "age", "cli.flag.older_than"),
  flag("keep", "n", "cli.flag.keep"),
  flag("max-size", "size", "cli.flag.max_size"),
  flag("yes", null, "cli.flag.yes"),
  flag("from", "folder", "cli.flag.from"),
];

/** Actions are imported on demand to keep the start fast. */
export const COMMANDS: readonly CliCommand[] = [
  {
    form: "run [prompt…]",
    about: "cli.run",
    flags: [...MODEL, ...RUNNING, ...COMMON],
    example: 'coder run --mode auto-edit --output json "fix the failing test"',
    action: async (words, flags, io, lang) => (await import("../run/run.ts")).run(words.join(" "), flags, io, lang),
  },
  {
    form: "tool <name> [json]",
    about: "cli.tool",
    flags: [...RUNNING, ...JSON_FLAG, ...COMMON],
    example: `coder tool grep '{"pattern":"TODO"}' --json`,
    action: async ([name = "", json = "{}"], flags, io) =>
      (await import("../command/tool.ts")).tool(name, json, flags, io),
  },
  {
    form: "verify [command…]",
    about: "workflow.cli.verify",
    flags: [
      choice("parse", "runner", "workflow.flag.parse", [...runners, "auto"]),
      flag("exit-code", "n", "workflow.flag.exit_code"),
      ...RUNNING,
      ...JSON_FLAG,
      ...COMMON,
    ],
    example: "pytest 2>&1 | coder verify --parse pytest --exit-code 1",
    action: async (words, flags, io, lang) => (await import("../command/verify.ts")).verify(words, flags, io, lang),
  },
  {
    form: "undo [id]",
    about: "workflow.cli.undo",
    flags: [
      { ...flag("count", "n", "workflow.flag.count"), short: "n" },
      flag("all", null, "workflow.flag.all"),
      flag("redo", null, "workflow.flag.redo"),
      flag("unclear", null, "workflow.flag.unclear"),
      MODE,
      ...SAFETY,
      ADD_DIR,
      ...JSON_FLAG,
      ...COMMON,
    ],
    example: "coder undo -n 2",
    action: async ([id], flags, io) => (await import("../command/undo.ts")).undo(id, flags, io),
  },
  {
    form: "sessions [list|rm|prune|move] [id…]",
    about: "cli.sessions",
    flags: [...SESSIONS, ...JSON_FLAG, ...COMMON],
    example: "coder sessions prune --older-than 30d --keep 50 --yes",
    action: async (words, flags, io, lang) =>
      (await import("../session/sessions.ts")).sessionsCommand(words, flags, io, lang),
  },
  {
    form: "export <id>",
    about: "cli.export",
    flags: [
      choice("format", "form", "cli.flag.format", exportForms),
      { ...flag("output-file", "file", "cli.flag.output_file"), short: "o" },
      ...JSON_FLAG,
      ...COMMON,
    ],
    example: "coder export ID -o session.html",
    action: async ([id = ""], flags, io, lang) =>
      (await import("../session/export.ts")).exportCommand(id, flags, io, lang),
  },
  {
    form: "trace <id>",
    about: "cli.trace",
    flags: [flag("html", null, "cli.flag.html"), ...JSON_FLAG, ...COMMON],
    example: "coder trace ID --html > trace.html",
    action: async ([id = ""], flags, io, lang) =>
      (await import("../session/trace-view.ts")).traceCommand(id, flags, io, lang),
  },
  {
    form: "fork <id>",
    about: "cli.fork",
    flags: [...JSON_FLAG, ...COMMON],
    example: "coder fork ID --json",
    action: async ([id = ""], flags, io, lang) => (await import("../session/fork.ts")).forkCommand(id, flags, io, lang),
  },
  {
    form: "resume [id] [prompt…]",
    about: "cli.resume",
    flags: [...MODEL, MODE, ...SAFETY, ADD_DIR, ...OPENING, ...JSON_FLAG, ...COMMON],
    example: 'coder resume ID "and now the tests"',
    action: async (words, flags, io, lang) => (await import("../session/resume.ts")).resume(words, flags, io, lang),
  },
  {
    form: "replay <id>",
    about: "cli.replay",
    flags: [...JSON_FLAG, ...COMMON],
    example: "coder replay ID",
    action: async ([id = ""], flags, io, lang) =>
      (await import("../session/replay.ts")).replayCommand(id, flags, io, lang),
  },
  {
    form: "models [provider]",
    about: "cli.models",
    flags: [...ONLINE, BASE_URL, ...JSON_FLAG, ...COMMON],
    example: "coder models --json",
    action: async ([provider], flags, io, lang) =>
      (await import("../command/models.ts")).models(provider, flags, io, lang),
  },
  {
    form: "demo [folder]",
    about: "demo.about",
    flags: COMMON.filter(({ name }) => name !== "cwd" && name !== "config"),
    example: "coder demo",
    action: async ([folder], flags, io, lang) => (await import("../run/demo.ts")).demo(folder, flags, io, lang),
  },
  {
    form: "setup",
    about: "setup.about",
    flags: COMMON,
    example: "coder setup",
    action: async (_, flags, io, lang) => (await import("../setup/first-run.ts")).setup(flags, io, lang),
  },
  {
    form: "config get [key]",
    about: "cli.config.get",
    flags: [...JSON_FLAG, MODE, ...CHOSEN, ...COMMON],
    example: "coder config get max_steps",
    action: async ([key], flags, io, lang) => (await import("../command/config.ts")).configGet(key, flags, io, lang),
  },
  {
    form: "config set <key> <value>",
    about: "cli.config.set",
    flags: [...WHERE, ...COMMON],
    example: "coder config set compaction.threshold 0.7",
    action: async ([key = "", value = ""], flags, io, lang) =>
      (await import("../command/config.ts")).configSet(key, value, flags, io, lang),
  },
  {
    form: "config unset <key>",
    about: "cli.config.unset",
    flags: [...WHERE, ...COMMON],
    example: "coder config unset ui.lang",
    action: async ([key = ""], flags) => (await import("../command/config.ts")).configUnset(key, flags),
  },
  {
    form: "config schema",
    about: "cli.config.schema",
    flags: COMMON,
    example: "coder config schema > coder.schema.json",
    action: async (_, __, io) => (await import("../command/config.ts")).configSchemaCommand(io),
  },
  {
    form: "config path",
    about: "cli.config.path",
    flags: [...WHERE, ...JSON_FLAG, ...COMMON],
    example: "coder config path --json",
    action: async (_, flags, io) => (await import("../command/config.ts")).configPath(flags, io),
  },
  {
    form: "trust",
    about: "trust.about",
    flags: [flag("show", null, "trust.flag.show"), flag("revoke", null, "trust.flag.revoke"), ...JSON_FLAG, ...COMMON],
    example: "coder trust --show",
    action: async (_, flags, io, lang) => (await import("../trust/trust.ts")).trustCommand(flags, io, lang),
  },
  {
    form: "policy check [command]",
    about: "permission.check",
    flags: [
      flag("jsonl", null, "permission.flag.jsonl"),
      flag("explain", null, "permission.flag.explain"),
      MODE,
      ...SAFETY,
      ADD_DIR,
      ...JSON_FLAG,
      ...COMMON,
    ],
    example: "coder policy check 'ls -la'",
    action: async ([command], flags, io, lang) =>
      (await import("../command/policy.ts")).policyCheck(command, flags, io, lang),
  },
  {
    form: "doctor",
    about: "cli.doctor",
    flags: [
      ...ONLINE,
      flag("live", null, "cli.flag.live"),
      ...MODEL.filter((one) => one.name === "model" || one.name === "base-url"),
      ...JSON_FLAG,
      ...COMMON,
    ],
    example: "coder doctor --online",
    action: async (_, flags, io, lang) => (await import("../doctor/doctor.ts")).doctor(flags, io, lang),
  },
  {
    form: "completion <bash|zsh|fish>",
    about: "cli.completion",
    flags: COMMON,
    example: 'eval "$(coder completion bash)"',
    action: async ([shell = ""], _, io) => (await import("./completion.ts")).completion(shell, io),
  },
];

export const GROUPS: Readonly<Record<string, TextKey>> = {
  config: "cli.config",
  policy: "permission.policy",
};

export function nameOf(command: CliCommand): string {
  return command.form.split(/ ?[<[]/)[0] ?? "";
}

/** The words after the name, and how many a command line may have. */
export function slotsOf({ form }: CliCommand) {
  const slots: readonly string[] = form.match(/[<[][^>\]]+[>\]]/g) ?? [];
  const least = slots.filter((slot) => slot.startsWith("<")).length;
  return { slots, least, most: form.includes("…") ? Number.POSITIVE_INFINITY : slots.length };
}

export function commandsIn(group: string): readonly CliCommand[] {
  return COMMANDS.filter((one) => nameOf(one).startsWith(`${group} `));
}

export function firstWords(): readonly string[] {
  return [...new Set(COMMANDS.map((one) => nameOf(one).split(" ")[0] ?? ""))];
}

export const ROOT: CliCommand = {
  form: "[prompt…]",
  about: "cli.about",
  flags: [...CHOSEN, BASE_URL, FALLBACK, ...RUNNING, ...COMMON, versionFlag],
  example: 'coder "explain this repository"',
  action: async (words, flags, io, lang) =>
    (await import("../terminal/terminal.ts")).openTerminal(words, flags, io, lang),
};
