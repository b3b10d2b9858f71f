// Renders Markdown as it arrives. Blocks that can no longer change are finished at once, so that the cost per chunk does not grow with the
// reply: only the last block is rendered again.

import { refit } from "./fit.ts";
import { highlightLine } from "./highlight.ts";
import { delimiters, renderMarkdown } from "./markdown-text.ts";
import type { Told } from "./reflow.ts";
import type { Theme } from "./theme.ts";
import { wrapTextWithAnsi } from "./width.ts";

/** In a list, a fence may be indented deeper than Markdown allows elsewhere. */
const fenceStart = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const item = /^(?:[-*+]|\d{1,9}[.)])\s+\S/;
/** Lists that may begin right below a paragraph. */
const interrupting = /^ {0,3}(?:[-*+]|1[.)])\s+\S/;
const heading = /^#{1,6}\s/;
const tableRow = /^\s*\|.*\|\s*$/;
/** Limits for an unfinished block or line of code: longer ones are shown in parts. */
const maxBlock = 4_000;
const maxCode = 2_000;

interface Fence {
  readonly mark: string;
  readonly indent: number;
  readonly language: string;
}

interface Rendered {
  readonly text: string;
  readonly width: number;
  readonly margin: string;
  readonly lines: readonly string[];
}

export class MarkdownStream {
  private readonly theme: Theme;
  private readonly width: () => number;
  private rest = "";
  /** The lines of the block that may still change, and their common indentation within a list. */
  private block: string[] = [];
  private size = 0;
  private indent = 0;
  private isInList = false;
  /** The head of a table of which a part is finished: the next part repeats it. */
  private head: readonly string[] = [];
  private fence: Fence | null = null;
  private done: Told[] = [];
  /** The widest terminal that a finished line was made for. */
  private madeFor = 0;
  /** A blank line is due before the next block. */
  private isApart = false;
  hasAny = false;
  private rendered: Rendered | null = null;

  constructor(theme: Theme, width: () => number) {
    this.theme = theme;
    this.width = width;
  }

  push(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.line(this.shorter(line.endsWith("\r") ? line.slice(0, -1) : line));
    this.rest = this.shorter(this.rest);
  }

  finish(): void {
    if (this.rest !== "") this.line(this.rest);
    this.rest = "";
    this.endBlock();
    this.fence = null;
  }

  take(): readonly string[] {
    return this.told().flatMap(({ lines }) => lines);
  }

  told(): readonly Told[] {
    const { done } = this;
    const told = this.madeFor > this.width() ? done.map((one) => ({ ...one, lines: setAgain(one) })) : done;
    this.done = [];
    this.madeFor = 0;
    return told;
  }

  untaken(most: number): readonly string[] {
    const lines = this.done.slice(Math.max(0, this.done.length - most)).flatMap((one) => one.lines);
    return (this.madeFor > this.width() ? refit(lines, this.width()) : lines).slice(-Math.max(1, most));
  }

  live(): readonly string[] {
    if (this.fence !== null) return this.rest === "" ? [] : this.codeLines(this.rest, this.fence);
    const indent = this.block.length > 0 ? this.indent : this.indentFor(this.rest);
    const rest = this.rest === "" ? [] : [dedented(this.rest, indent)];
    const head = this.block.length === 0 && this.rest.trimStart().startsWith("|") ? this.head : [];
    const text = [...head, ...this.block, ...rest].join("\n");
    if (text.trim() === "") return [];
    const lines = this.rendering(text, indent);
    return this.isApart && this.hasAny ? ["", ...lines] : lines;
  }

  private line(line: string): void {
    const fence = this.fence === null ? fenceStart.exec(line) : null;
    if (this.fence !== null) this.inFence(line, this.fence);
    else if (fence) this.beginFence(fence);
    else if (line.trim() !== "") this.words(line);
    else {
      this.endBlock();
      this.head = [];
      this.isApart = true;
    }
  }

  private words(line: string): void {
    if (this.endsBefore(line)) this.endBlock();
    if (delimiters.test(line)) this.beginTable();
    const isHeading = heading.test(line);
    if (isHeading) this.isApart = true;
    if (this.block.length === 0) {
      this.begin(line);
      if (tableRow.test(line)) this.block.push(...this.head);
      this.head = [];
    }
    this.block.push(dedented(line, this.indent));
    this.size += line.length;
    const [first = "", second = ""] = this.block;
    const isTable = this.size > maxBlock && tableRow.test(first) && delimiters.test(second);
    if (isHeading || this.size > maxBlock) this.endBlock();
    if (isTable) this.head = [first, second];
    if (isHeading) this.isApart = true;
  }

  private endsBefore(line: string): boolean {
    const [first] = this.block;
    if (first === undefined) return false;
    if (heading.test(line)) return true;
    const own = dedented(line, this.indent);
    if (item.test(first)) return item.test(own);
    // The next item of the list around this block.
    if (this.indent > 0 && item.test(line)) return true;
    return tableRow.test(first) ? !tableRow.test(line) : interrupting.test(own) && !/^\s*>/.test(first);
  }

  /** The line above is the head of a table, which may stand right below a paragraph. */
  private beginTable(): void {
    const [first = "", last = ""] = [this.block[0], this.block.at(-1)];
    if (this.block.length < 2 || item.test(first) || tableRow.test(first) || !tableRow.test(last)) return;
    this.block.pop();
    this.endBlock();
    this.isApart = true;
    this.begin(last);
    this.block.push(last);
    this.size = last.length;
  }

  private begin(line: string): void {
    this.indent = this.indentFor(line);
    this.isInList = item.test(dedented(line, this.indent)) || (this.isInList && /^\s/.test(line));
  }

  /** After a blank line, an indented block belongs to the list item above it. */
  private indentFor(line: string): number {
    const blanks = line.length - line.trimStart().length;
    return this.isInList || (blanks < 4 && item.test(line.trimStart())) ? blanks : 0;
  }

  private endBlock(): void {
    const text = this.block.join("\n");
    this.block = [];
    this.size = 0;
    const { indent, isInList } = this;
    const again = (): readonly string[] => this.renderedWith(this.margin(indent, isInList), text);
    if (text.trim() !== "") this.emit(this.rendering(text, indent), again);
    this.rendered = null;
  }

  /** `again`: the same at the width that the terminal has by then. */
  private emit(lines: readonly string[], again: () => readonly string[]): void {
    if (this.isApart && this.hasAny) this.done.push({ lines: [""], again: null });
    this.isApart = false;
    this.hasAny = true;
    this.madeFor = Math.max(this.madeFor, this.width());
    if (lines.length > 0) this.done.push({ lines, again });
  }

  private beginFence([, indent = "", mark = "", language = ""]: RegExpExecArray): void {
    this.endBlock();
    this.head = [];
    this.isApart = true;
    this.isInList &&= indent !== "";
    this.fence = { mark, indent: indent.length, language };
    const { isInList } = this;
    const name = (): readonly string[] => [`${this.margin(indent.length, isInList)}${this.theme.dim(language)}`];
    this.emit(language === "" ? [] : name(), name);
  }

  private inFence(line: string, fence: Fence): void {
    const text = line.trim();
    const isEnd = text.length >= fence.mark.length && text === (fence.mark[0] ?? "").repeat(text.length);
    if (isEnd) {
      this.fence = null;
      this.isApart = true;
      return;
    }
    const { isInList } = this;
    this.emit(this.codeLines(line, fence), () => this.codeLines(line, fence, isInList));
  }

  private codeLines(line: string, { indent, language }: Fence, isInList = this.isInList): readonly string[] {
    const own = dedented(line, indent).replaceAll("\t", "  ");
    const margin = `${this.margin(indent, isInList)}  `;
    const room = Math.max(1, this.width() - margin.length);
    return wrapTextWithAnsi(highlightLine(own, language, this.theme), room).map((part) => `${margin}${part}`);
  }

  private margin(indent: number, isInList = this.isInList): string {
    return isInList ? " ".repeat(Math.min(indent, 8, Math.floor(this.width() / 8))) : "";
  }

  /** Cached, so that a block is not rendered again when it becomes final. */
  private rendering(text: string, indent: number): readonly string[] {
    const [known, width, margin] = [this.rendered, this.width(), this.margin(indent)];
    if (known?.text === text && known.width === width && known.margin === margin) return known.lines;
    const lines = this.renderedWith(margin, text);
    this.rendered = { text, width, margin, lines };
    return lines;
  }

  private renderedWith(margin: string, text: string): readonly string[] {
    const own = renderMarkdown(text, Math.max(1, this.width() - margin.length), this.theme);
    return margin === "" ? own : own.map((line) => (line === "" ? "" : `${margin}${line}`));
  }

  /** Emits the beginning of an overlong line, and returns the rest. */
  private shorter(line: string): string {
    let left = line;
    const most = this.fence === null ? maxBlock : maxCode;
    while (left.length > most) {
      const blank = this.fence === null ? left.lastIndexOf(" ", most) : -1;
      const at = blank > 0 ? blank : wholeAt(left, most);
      if (this.fence !== null) this.inFence(left.slice(0, at), this.fence);
      else {
        if (this.block.length === 0) this.begin(left);
        this.block.push(dedented(left.slice(0, at), this.indent));
        this.endBlock();
      }
      left = blank > 0 ? left.slice(at).trimStart() : left.slice(at);
    }
    return left;
  }
}

function setAgain({ lines, again }: Told): readonly string[] {
  return again === null ? lines : again();
}

function dedented(line: string, most: number): string {
  return line.slice(Math.min(most, line.length - line.trimStart().length));
}

/** Never splits a surrogate pair. */
function wholeAt(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at - 1 : at;
}
