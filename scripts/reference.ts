// `npm run reference`: writes docs/config.md and docs/config.schema.json from the table of settings, docs/cli.md from the tables of commands.
import { join } from "node:path";
import { allCommands } from "../src/command/all.ts";
import { defaults } from "../src/config/defaults.ts";
import { configSchema } from "../src/config/file/schema.ts";
import { settingAbout } from "../src/config/file/setting-about.ts";
import { configRules, type Rule } from "../src/config/file/setting-schema.ts";
import { phrase, say, type TextKey } from "../src/contract/text/catalogue.ts";
import type { Flag } from "../src/main/cli/flags.ts";
import { type CliCommand, COMMANDS, nameOf, ROOT } from "../src/main/cli/table.ts";
import { TOPICS } from "../src/main/cli/topics.ts";

const root = join(import.meta.dir, "..");
const madeBy = "<!-- Made by `npm run reference`; do not edit. -->";

const text = (key: TextKey): string => say("en", phrase(key));
const cell = (words: string): string => words.replaceAll("|", "\\|").replaceAll("\n", " ");
const code = (words: string): string => `\`${words}\``;
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
const table = (heads: readonly string[], rows: readonly string[]): string =>
  [row(...heads), `|${"---|".repeat(heads.length)}`, ...rows].join("\n");

/** Path → text of every file that this script writes. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    "docs/config.md": page(configPage()),
    "docs/config.schema.json": `${JSON.stringify(configSchema(), null, 2)}\n`,
    "docs/cli.md": page(cliPage()),
  };
}

function page(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

/** Every place at which a value may stand, sections and tables included. */
export function settingPaths(rule: Rule = configRules, path = ""): readonly string[] {
  const here = path === "" ? [] : [path];
  if (rule.kind === "map") return [...here, ...settingPaths(rule.of, `${path}.*`)];
  if (rule.kind === "list" && rule.of.kind === "section") return [...here, ...settingPaths(rule.of, path).slice(1)];
  if (rule.kind !== "section") return here;
  const inner = Object.entries(rule.keys).map(([key, of]) => settingPaths(of, path === "" ? key : `${path}.${key}`));
  return [...here, ...inner.flat()];
}

function configPage(): readonly string[] {
  const keys = Object.entries(configRules.keys) as [string, Rule][];
  const isGroup = ([, rule]: [string, Rule]): boolean => rule.kind === "section" || rule.kind === "map";
  return [
    "# Configuration",
    madeBy,
    "Settings are in `~/.coder/config.json` (JSON with comments; `CODER_HOME` moves the folder). An unknown key or a wrong value stops coder" +
      " with the line and the nearest name. A flag wins over a variable, a variable over the file. A repository may have its own" +
      " `.coder/config.json`, which counts after `coder trust` and only for [some keys](guide/trust.md#what-a-project-may-set).",
    "`coder config get` shows the values that apply and where each comes from; `coder config set KEY VALUE` changes one." +
      " [`config.schema.json`](config.schema.json) is the same as a JSON Schema; editors complete with it.",
    table(
      ["setting", "values", "default", "meaning"],
      keys.filter((one) => !isGroup(one)).flatMap(([key, rule]) => settingRows(rule, key, presetAt(key))),
    ),
    ...keys
      .filter(isGroup)
      .flatMap(([key, rule]) => [
        `## ${code(key)}`,
        settingAbout[key] ?? "",
        table(["setting", "values", "default", "meaning"], innerRows(rule, key, presetAt(key))),
      ]),
  ];
}

function presetAt(key: string): unknown {
  return (defaults as Readonly<Record<string, unknown>>)[key];
}

function innerRows(rule: Rule, path: string, preset: unknown): readonly string[] {
  if (rule.kind === "map") {
    const isLeaf = rule.of.kind !== "section" && rule.of.kind !== "map";
    return isLeaf ? settingRows(rule.of, `${path}.*`, undefined) : innerRows(rule.of, `${path}.*`, undefined);
  }
  if (rule.kind !== "section") return [];
  const presets = (preset ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(rule.keys).flatMap(([key, of]) => settingRows(of, `${path}.${key}`, presets[key]));
}

function settingRows(rule: Rule, path: string, preset: unknown): readonly string[] {
  const own = row(code(path), valuesOf(rule), presetText(preset), settingAbout[path] ?? "");
  switch (rule.kind) {
    case "section":
      return innerRows(rule, path, preset);
    case "map":
      return [own, ...(rule.of.kind === "section" ? innerRows(rule, path, preset) : [])];
    case "list":
      return [own, ...(rule.of.kind === "section" ? innerRows(rule.of, path, undefined) : [])];
    default:
      return [own];
  }
}

function presetText(preset: unknown): string {
  return preset === undefined ? "" : code(JSON.stringify(preset));
}

const forms: Readonly<Record<string, string>> = {
  maybe: "text",
  any: "text",
  model: "provider/name",
  url: "address",
  secret: "text",
  env_name: "name of a variable",
  header: "text",
  timezone: "time zone",
  key: "key",
};

function valuesOf(rule: Rule): string {
  switch (rule.kind) {
    case "text":
      return forms[rule.form] ?? rule.form;
    case "flag":
      return "true, false";
    case "whole":
    case "number":
      return `${rule.kind === "whole" ? "" : "number, "}${amount(rule.min)} to ${amount(rule.max)}`;
    case "choice":
      return rule.of.map(code).join(", ");
    case "list":
      return rule.of.kind === "section" ? `list, at most ${rule.max}` : `list of: ${valuesOf(rule.of)}`;
    case "some":
      return `${valuesOf(rule.of)}, or a list`;
    case "map":
      return rule.of.kind === "section" ? "table" : `table of: ${valuesOf(rule.of)}`;
    case "section":
      return "";
  }
}

function amount(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 6 });
}

function cliPage(): readonly string[] {
  return [
    "# Command line",
    madeBy,
    "`coder COMMAND --help` says the same in the terminal, in English or Chinese. Exit codes, variables and files are at the end.",
    "## Flags of every command",
    flagTable(ROOT.flags.filter(isCommon)),
    ...commandPart(ROOT, "coder"),
    ...COMMANDS.flatMap((one) => commandPart(one, `coder ${nameOf(one)}`)),
    "## Slash commands",
    "In the terminal application and as a prompt: `coder run --continue /diff`.",
    table(
      ["command", "does"],
      allCommands.map((one) => row(code(`/${one.name} ${one.args}`.trim()), text(one.help))),
    ),
    ...Object.values(TOPICS).flatMap((topic) => [
      `## ${text(topic.about)}`,
      table(
        ["", ""],
        topic.rows.map(([left, about]) => row(code(left), text(about))),
      ),
    ]),
  ];
}

/** Shown once, at the top. */
function isCommon({ name }: Flag): boolean {
  return ["cwd", "config", "lang", "verbose", "help"].includes(name);
}

function commandPart(command: CliCommand, title: string): readonly string[] {
  const own = command.flags.filter((flag) => !isCommon(flag));
  return [
    `## ${code(title)}`,
    sentence(text(command.about)),
    `${code(`coder ${command.form}`.trim())} · example: ${code(command.example)}`,
    ...(own.length > 0 ? [flagTable(own)] : []),
  ];
}

function flagTable(flags: readonly Flag[]): string {
  return table(
    ["flag", "does"],
    flags.map((flag) => row(code(flagText(flag)), text(flag.about))),
  );
}

function flagText({ name, value, short }: Flag): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === null ? "" : ` <${value}>`}`;
}

function sentence(words: string): string {
  const start = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

if (import.meta.main) {
  for (const [path, content] of Object.entries(referencePages())) await Bun.write(join(root, path), content);
}
