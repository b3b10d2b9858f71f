// `/init`: a first AGENTS.md from facts about a repository. Text from files is named, never quoted at length.
import { visible } from "../contract/show/visible.ts";

export interface RepositoryFacts {
  readonly name: string;
  /** Most frequent first. */
  readonly languages: readonly { readonly name: string; readonly files: number }[];
  readonly checks: readonly { readonly command: string; readonly cwd: string }[];
  /** Other commands: package.json scripts, Makefile targets. */
  readonly commands: readonly { readonly command: string; readonly does: string }[];
  readonly folders: readonly { readonly name: string; readonly files: number }[];
  readonly conventions: readonly string[];
  readonly documents: readonly string[];
}

const MAX_ROWS = 24;

export function firstRulesText(facts: RepositoryFacts): string {
  const sections = [
    `# ${line(facts.name)}`,
    "How to work in this repository. Written from what it shows; correct it where it is wrong.",
    section(
      "Languages",
      facts.languages.map(({ name, files }) => `- ${line(name)} (${count(files)})`),
    ),
    section("Commands", commandRows(facts)),
    section(
      "Layout",
      facts.folders.map(({ name, files }) => `- ${code(`${name}/`)} (${count(files)})`),
    ),
    section(
      "Conventions",
      facts.conventions.map((one) => `- ${one}`),
    ),
    section(
      "Read first",
      facts.documents.map((one) => `- ${code(one)}`),
    ),
    section("Rules", [
      "- Make the smallest change that does what was asked, in the style of the code around it.",
      ...(facts.checks.length > 0 ? ["- Run the tests named above before calling a change done."] : []),
      "- Do not change generated files, lock files or dependencies unless that is the task.",
    ]),
  ];
  return `${sections.filter((one) => one !== "").join("\n\n")}\n`;
}

function commandRows({ checks, commands }: RepositoryFacts): readonly string[] {
  const tested = checks.map(
    ({ command, cwd }) => `- ${code(command)} tests${cwd === "" ? "" : ` ${code(cwd)}, run there`}`,
  );
  return [
    ...tested,
    ...commands.map(({ command, does }) => `- ${code(command)}${does === "" ? "" : `: ${code(does)}`}`),
  ];
}

function section(title: string, rows: readonly string[]): string {
  if (rows.length === 0) return "";
  const more = rows.length > MAX_ROWS ? [`- … and ${rows.length - MAX_ROWS} more`] : [];
  return [`## ${title}`, "", ...rows.slice(0, MAX_ROWS), ...more].join("\n");
}

function count(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}

/** One short line without hidden characters that cannot leave its backticks. */
function code(text: string): string {
  return `\`${line(text).replaceAll("`", "'")}\``;
}

function line(text: string): string {
  const flat = visible(text.replace(/\s+/g, " ").trim());
  return flat.length > 120 ? `${flat.slice(0, 117)}…` : flat;
}
