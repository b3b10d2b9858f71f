// Renders one block of Markdown, after escaping what the renderer would drop or use to hide something.
import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { hyperlink, setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js";
import { aligning } from "./markdown-table.ts";
import type { Theme } from "./theme.ts";
import { stripTerminalSequences } from "./width.ts";

// By default the renderer starts a program to detect these, and hides a link's address behind its text.
setCapabilities({ images: null, trueColor: false, hyperlinks: false });

const address = /^https?:\/\/[\x21-\x7e]+$/i;
const themes = new WeakMap<Theme, MarkdownTheme>();

export function renderMarkdown(text: string, width: number, theme: Theme): readonly string[] {
  const options = { preserveOrderedListMarkers: true, renderLatex: false };
  const lines = aligning(new Markdown(shownWhole(text), 0, 0, linking(theme), undefined, options)).render(width);
  return lines.map((line) => line.trimEnd());
}

/** Only an address that is visible becomes a link. */
function linking(theme: Theme): MarkdownTheme {
  const known = themes.get(theme);
  if (known) return known;
  const { link, linkUrl } = theme.markdown;
  const made: MarkdownTheme = {
    ...theme.markdown,
    link: (text) => linked(link(text), stripTerminalSequences(text)),
    linkUrl: (text) => linked(linkUrl(text), text.slice(" (".length, -1)),
  };
  themes.set(theme, made);
  return made;
}

function linked(shown: string, url: string): string {
  return address.test(url) ? hyperlink(shown, url) : shown;
}

/** The renderer drops definitions of links and footnotes. */
const definition = /^( {0,3}\[[^\]\n]+\]):/gm;
/** A code span, or the start of an image. */
const image = /(`+)[^`](?:[^\n]*?[^`])?\1(?!`)|!\[/g;

function shownWhole(text: string): string {
  const defined = text.includes("]:") ? text.replace(definition, "$1\\:") : text;
  // An image becomes a link, which shows its address.
  const pictured = defined.includes("![") ? defined.replace(image, (found) => (found === "![" ? "[" : found)) : defined;
  return pictured.includes("|") ? wholeTable(pictured) : pictured;
}

export const delimiters = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const separator = /(?<!\\)\|/g;

/** The renderer drops cells beyond the columns of the head. */
function wholeTable(text: string): string {
  const [head = "", line = "", ...rows] = text.split("\n");
  if (!delimiters.test(line)) return text;
  const most = columnsOf(head);
  return [head, line, ...rows.map((row) => (columnsOf(row) > most ? fewerCells(row, most) : row))].join("\n");
}

function columnsOf(row: string): number {
  const inside = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return (inside.match(separator)?.length ?? 0) + 1;
}

function fewerCells(row: string, most: number): string {
  const kept = row.replace(/`[^`]+`/g, (code) => code.replace(separator, "\\|"));
  let surplus = columnsOf(kept) - most;
  if (surplus <= 0) return kept;
  const last = /(?<!\\)\|\s*$/.test(kept) ? kept.lastIndexOf("|") : kept.length;
  const bars = [...kept.slice(0, last).matchAll(separator)].map(({ index }) => index);
  let mended = kept;
  for (const at of bars.reverse()) if (surplus-- > 0) mended = `${mended.slice(0, at)}\\${mended.slice(at)}`;
  return mended;
}
