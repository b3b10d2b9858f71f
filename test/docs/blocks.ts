// The fenced blocks of the documents, and what their marks say about them.
//
//   <!-- run -->                  `sh` or `console`: runs, and asks no model
//   <!-- run with a model -->     runs with the scripted model behind every provider
//   <!-- not run: why -->         cannot run here
//   <!-- not a configuration -->  `json` or `jsonc` that is not for config.json
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** What the comment in the line above says; `null` = there is none. */
  readonly mark: string | null;
}

const root = join(import.meta.dir, "..", "..");

/** The pages that show people what to type. */
export const pages: readonly string[] = [
  ...new Set(
    ["README*.md", "docs/*.md", "docs/guide/*.md", "docs/reference/*.md", "docs/dev/*.md"].flatMap((glob) => [
      ...new Bun.Glob(glob).scanSync({ cwd: root }),
    ]),
  ),
].toSorted();

export function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

export function blocksOf(page: string, text = textOf(page)): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(.*)$/.exec(lines[at] ?? "")?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const mark = /^<!-- (.*) -->$/.exec(lines[at - 1] ?? "")?.[1] ?? null;
    blocks.push({ page, line: at + 1, language, text: lines.slice(at + 1, end).join("\n"), mark });
    at = end;
  }
  return blocks;
}

const commands = ["sh", "console"];
const configs = ["json", "jsonc"];
const plain = ["text", "markdown"];

const isCommands = ({ language }: Block): boolean => commands.includes(language);
export const isRun = (block: Block): boolean => isCommands(block) && block.mark?.startsWith("run") === true;
export const isConfig = ({ language, mark }: Block): boolean =>
  configs.includes(language) && mark !== "not a configuration";

/** What is wrong with the marks of a block; `null` = nothing. */
export function markProblem(block: Block): string | null {
  const { page, line, language, mark } = block;
  const where = `${page}:${line}`;
  if (![...commands, ...configs, ...plain].includes(language))
    return `${where}: the language "${language}" is not one of ours`;
  if (!isCommands(block)) return null;
  if (mark === null) return `${where}: commands without a mark: run, run with a model, or not run: why`;
  return mark === "run" || mark === "run with a model" || /^not run: \S/.test(mark)
    ? null
    : `${where}: unknown mark "${mark}"`;
}

/** A command of a `console` block, and what it has to print: `…` alone is any number of lines, in a line any text. */
export interface Shown {
  readonly command: string;
  readonly output: RegExp;
}

export function shownIn({ text }: Block): readonly Shown[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...lines] = part.trimEnd().split("\n");
      const pattern = lines.map((line) =>
        line.trim() === "…" ? "(?:.*\n)*?" : `${RegExp.escape(line).replaceAll("…", ".*")}\n`,
      );
      return { command, output: new RegExp(`^${pattern.join("")}$`) };
    });
}
