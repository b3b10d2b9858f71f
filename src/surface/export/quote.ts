// Embeds Markdown text in a document: the text keeps its form but cannot break out of its place.
import { visible } from "./visible.ts";

/** The fence is longer than any run of backticks inside, so that nothing inside can end it. */
export function fenced(text: string, language = ""): string {
  const shown = visible(text);
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${shown}${shown.endsWith("\n") || shown === "" ? "" : "\n"}${fence}\n`;
}

/** One line of plain text: escapes every Markdown and HTML mark. */
export function inert(text: string): string {
  return visible(text)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>&|~$]/g, "\\$&")
    .replace(/^[#+=-]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** A quotation also ends any fence or list that is left open inside. */
export function quoted(text: string): string {
  return `${withoutTags(visible(text))
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n")}\n`;
}

/** An unclosed tag would swallow the page: `<` is escaped, except in fences at the margin and code spans in plain lines. */
function withoutTags(text: string): string {
  let fence = "";
  const blocks: string[][] = [[]];
  const done: string[] = [];
  const flush = (): void => {
    const block = blocks.pop() ?? [];
    const isPlain = block.every(hasWholeSpans);
    done.push(...block.map((line) => (isPlain ? escapeOutsideSpans(line) : escapeTags(line))));
    blocks.push([]);
  };
  for (const line of text.split("\n")) {
    const opened = fence === "" ? (/^(`{3,})[^`]*$|^(~{3,})/.exec(line) ?? []) : [];
    const opener = opened[1] ?? opened[2] ?? "";
    if (fence !== "" || opener !== "" || line.trim() === "") {
      flush();
      done.push(line);
      if (opener !== "") fence = opener;
      else if (fence !== "" && isClosing(line, fence)) fence = "";
    } else blocks.at(-1)?.push(line);
  }
  flush();
  return done.join("\n");
}

function isClosing(line: string, fence: string): boolean {
  const run = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1] ?? "";
  return run[0] === fence[0] && run.length >= fence.length;
}

const span = /(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)/g;

/** Every backtick has its partner on the same line, and nothing there can change its meaning (links, tables, escapes). */
function hasWholeSpans(line: string): boolean {
  if (!line.includes("`")) return true;
  return !/\\`|\]\(|\]:|\|/.test(line) && !line.replace(span, "").includes("`");
}

function escapeOutsideSpans(line: string): string {
  let at = 0;
  let out = "";
  for (const found of line.matchAll(span)) {
    out += escapeTags(line.slice(at, found.index)) + found[0];
    at = found.index + found[0].length;
  }
  return out + escapeTags(line.slice(at));
}

function escapeTags(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?$])/g, "&lt;");
}
