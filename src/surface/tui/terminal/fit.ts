// Makes outside text safe to show: control characters visible, no tabs, limited width.

import { plain } from "../../../contract/show/visible.ts";
import { fresh } from "./line-change.ts";
import { sliceByColumn, visibleWidth, wrapTextWithAnsi } from "./width.ts";

const maxLine = 2_000;

/** Keeps line breaks. Replaces tabs, because their width depends on the terminal. */
export function clean(text: string): string {
  return plain(text).replaceAll("\r\n", "\n").replaceAll("\t", "  ");
}

export function oneLine(text: string): string {
  return clean(text.slice(0, maxLine)).replace(/\s+/g, " ").trim();
}

export function cut(text: string, width: number): string {
  if (width <= 0) return "";
  if (text.length <= width / 2 || visibleWidth(text) <= width) return text;
  return width === 1 ? "…" : fresh(`${sliceByColumn(text, 0, width - 1, true)}…`);
}

/** Keeps the end, for text that is still growing. */
export function cutFront(text: string, width: number): string {
  const all = visibleWidth(text);
  if (all <= width) return text;
  return width <= 1 ? "…".slice(0, Math.max(0, width)) : `…${sliceByColumn(text, all - width + 1, width - 1, true)}`;
}

/** Wraps at words; `first` precedes the first line, `rest` the others, and both count towards the width. */
export function wrap(text: string, width: number, first = "", rest = first): readonly string[] {
  const room = Math.max(1, width - Math.max(visibleWidth(first), visibleWidth(rest)));
  return wrapTextWithAnsi(text, room).map((line, at) => `${at === 0 ? first : rest}${line}`);
}

/** Wraps every line of a clean text, with a sign before the first. */
export function signed(text: string, width: number, sign: string, style = (line: string) => line): readonly string[] {
  const indent = " ".repeat(visibleWidth(sign));
  return text.split("\n").flatMap((line, at) => wrap(style(line), width, at === 0 ? sign : indent, indent));
}

export function refit(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => (visibleWidth(line) > width ? wrapTextWithAnsi(line, width) : [line]));
}
