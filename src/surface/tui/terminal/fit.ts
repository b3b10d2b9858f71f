// Text from outside, made fit to be shown: nothing hidden in it, no tabs, no wider than there is room.

import { plain } from "../../../contract/show/visible.ts";
import { sliceByColumn, visibleWidth, wrapTextWithAnsi } from "./width.ts";

/** Of a text that shall stand on one line, nobody reads more. */
const maxLine = 2_000;

/** Lines stay lines; a tab would end where the terminal thinks, not where we count. */
export function clean(text: string): string {
  return plain(text).replaceAll("\r\n", "\n").replaceAll("\t", "  ");
}

export function oneLine(text: string): string {
  return clean(text.slice(0, maxLine)).replace(/\s+/g, " ").trim();
}

/** Unstyled text in at most so many columns. */
export function cut(text: string, width: number): string {
  if (width <= 0) return "";
  if (text.length <= width / 2 || visibleWidth(text) <= width) return text;
  return width === 1 ? "…" : `${sliceByColumn(text, 0, width - 1, true)}…`;
}

/** The end of it, for what is just being written. */
export function cutFront(text: string, width: number): string {
  const all = visibleWidth(text);
  if (all <= width) return text;
  return width <= 1 ? "…".slice(0, Math.max(0, width)) : `…${sliceByColumn(text, all - width + 1, width - 1, true)}`;
}

/** At words where it can; `first` stands before the first line, `rest` before the others. Both count. */
export function wrap(text: string, width: number, first = "", rest = first): readonly string[] {
  const room = Math.max(1, width - Math.max(visibleWidth(first), visibleWidth(rest)));
  return wrapTextWithAnsi(text, room).map((line, at) => `${at === 0 ? first : rest}${line}`);
}

/** Lines that were made for a wider terminal. */
export function refit(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => (visibleWidth(line) > width ? wrapTextWithAnsi(line, width) : [line]));
}
