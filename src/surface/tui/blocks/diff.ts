// Renders a unified diff: line numbers, the colours of the language, and marks for the changed words of a line.

import { visible } from "../../../contract/show/visible.ts";
import { escapes } from "../terminal/escapes.ts";
import { highlightLine } from "../terminal/highlight.ts";
import type { Theme } from "../terminal/theme.ts";
import { visibleWidth, wrapTextWithAnsi } from "../terminal/width.ts";
import { changedWords, type Mark } from "./changed-words.ts";
import { type DiffRow, rowsIn } from "./diff-rows.ts";
import type { Lines } from "./lines.ts";

export interface DiffShape {
  readonly most?: number;
  readonly isNameless?: true;
  readonly name?: (path: string) => string;
}

export function diffLines(text: string, width: number, theme: Theme, shape: DiffShape = {}): readonly string[] {
  const most = shape.most ?? Number.POSITIVE_INFINITY;
  const all = rowsIn(text, most);
  const rows = shape.isNameless ? all.filter(({ kind }) => kind !== "head") : named(all, shape.name);
  const language = languagesIn(all);
  const digits = digitsOf(rows);
  const pairs = pairsIn(rows);
  const lines: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (lines.length >= most) break;
    const look = { width, digits, theme, language: language(row) };
    for (const line of shown(row, marksOf(rows, pairs, at), look)) lines.push(line);
  }
  return lines.length > most ? lines.slice(0, most) : lines;
}

export function named(rows: readonly DiffRow[], name: DiffShape["name"]): readonly DiffRow[] {
  return name ? rows.map((row) => (row.kind === "head" ? { ...row, text: name(row.text) } : row)) : rows;
}

/** The whole diff; lays out only the rows that are looked at. `head` stands before every row. */
export function diffText(all: readonly DiffRow[], width: number, theme: Theme, head = ""): Lines {
  const look = { width: Math.max(1, width - head.length), digits: digitsOf(all), theme };
  const pairs = pairsIn(all);
  const language = languagesIn(all);
  const rows = (at: number): readonly string[] => {
    const row = all[at];
    if (!row) return [];
    return shown(row, marksOf(all, pairs, at), { ...look, language: language(row) }).map((line) => `${head}${line}`);
  };
  return { count: all.length, rows, text: (at) => rows(at).join(""), far: (at) => at };
}

function digitsOf(rows: readonly DiffRow[]): number {
  return rows.reduce((widest, { number }) => Math.max(widest, String(number ?? 0).length), 2);
}

/** By the ending of the file that a row belongs to. */
function languagesIn(rows: readonly DiffRow[]): (row: DiffRow) => string {
  const known = new Map<DiffRow, string>();
  let language = "";
  for (const row of rows) {
    if (row.kind === "head") language = /([^./]+)$/.exec(row.text)?.[1]?.toLowerCase() ?? "";
    known.set(row, language);
  }
  return (row) => known.get(row) ?? "";
}

/** Added lines that follow removed ones replace them, in order. For each: the offset of its partner. */
function pairsIn(rows: readonly DiffRow[]): Int32Array {
  const pairs = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; ) {
    const removed = runFrom(rows, at, "removed");
    const added = runFrom(rows, at + removed, "added");
    const both = Math.min(removed, added);
    pairs.fill(removed, at, at + both).fill(-removed, at + removed, at + removed + both);
    at += Math.max(1, removed + added);
  }
  return pairs;
}

function runFrom(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): number {
  let at = from;
  while (rows[at]?.kind === kind) at++;
  return at - from;
}

function marksOf(rows: readonly DiffRow[], pairs: Int32Array, at: number): readonly Mark[] {
  const off = pairs[at] ?? 0;
  return off === 0 ? [] : (changedWords(rows[at]?.text ?? "", rows[at + off]?.text ?? "") ?? []);
}

interface RowLook {
  readonly width: number;
  readonly digits: number;
  readonly theme: Theme;
  readonly language: string;
}

const signs = { same: " ", added: "+", removed: "-" } as const;

function shown(row: DiffRow, marks: readonly Mark[], look: RowLook): readonly string[] {
  const { width, digits, theme } = look;
  const { kind, number, text, change } = row;
  if (kind === "head") {
    const sign = change === undefined ? "" : `${theme.accent(change)} `;
    return wrapTextWithAnsi(`${sign}${theme.bold(visible(text))}`, width);
  }
  if (kind === "note") return wrapTextWithAnsi(theme.dim(visible(text)), width);
  if (kind === "gap") return [theme.dim(`${" ".repeat(digits)} ⋮`)];
  const style = kind === "added" ? theme.added : kind === "removed" ? theme.removed : theme.plain;
  const numbered = theme.dim(String(number ?? "").padStart(digits));
  const [head, under] = [`${numbered} ${style(signs[kind])} `, " ".repeat(digits + 3)];
  const room = Math.max(1, width - digits - 3);
  const wrapped = wrapTextWithAnsi(bodyOf(row, marks, look), room);
  const lines = (wrapped.length > 0 ? wrapped : [""]).map((line, at) => `${at === 0 ? head : under}${line}`);
  return kind === "same" || !theme.tint ? lines : lines.map((line) => tinted(line, width, theme.tint?.[kind]));
}

function bodyOf({ kind, text }: DiffRow, marks: readonly Mark[], { theme, language }: RowLook): string {
  const clean = (piece: string): string => visible(piece.replaceAll("\t", "  "));
  const tint = theme.tint;
  if (kind === "same") return highlightLine(clean(text), language, theme);
  if (tint && (kind === "added" || kind === "removed")) {
    const { line, part } = tint[kind];
    const place = (at: number): number => clean(text.slice(0, at)).length;
    const places = marks.map(({ from, to }) => ({ from: place(from), to: place(to) }));
    return marked(highlightLine(clean(text), language, theme), places, part, line);
  }
  const [style, part] = kind === "added" ? [theme.added, theme.addedPart] : [theme.removed, theme.removedPart];
  let [shownText, done] = ["", 0];
  for (const { from, to } of marks) {
    shownText += style(clean(text.slice(done, from))) + part(clean(text.slice(from, to)));
    done = to;
  }
  return shownText + style(clean(text.slice(done)));
}

/** Puts `start` and `end` around the marks of a text that has styles already. */
function marked(text: string, marks: readonly Mark[], start: string, end: string): string {
  const signs = marks.flatMap(({ from, to }) => [
    { at: from, code: start },
    { at: to, code: end },
  ]);
  let [made, done, seen] = ["", 0, 0];
  const put = (until: number): void => {
    for (let next = signs[0]; next && next.at - seen <= until - done; next = signs[0]) {
      const at = done + next.at - seen;
      made += text.slice(done, at) + next.code;
      [seen, done] = [next.at, at];
      signs.shift();
    }
    made += text.slice(done, until);
    [seen, done] = [seen + until - done, until];
  };
  for (const found of text.matchAll(escapes)) {
    put(found.index);
    made += found[0];
    done = found.index + found[0].length;
  }
  put(text.length);
  return made;
}

/** The background of the whole row, which ends with it. */
function tinted(line: string, width: number, tint: { readonly line: string } | undefined): string {
  const end = " ".repeat(Math.max(0, width - visibleWidth(line)));
  return tint ? `${tint.line}${line}${end}\x1b[49m` : line;
}
