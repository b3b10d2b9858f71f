// Renders a unified diff: line numbers, and marks for the changed part of a line.

import { visible } from "../../../contract/show/visible.ts";
import type { Theme } from "../terminal/theme.ts";
import { wrapTextWithAnsi } from "../terminal/width.ts";
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
  const digits = digitsOf(rows);
  const pairs = pairsIn(rows);
  const lines: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (lines.length >= most) break;
    for (const line of shown(row, markOf(rows, pairs, at), { width, digits, theme })) lines.push(line);
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
  const rows = (at: number): readonly string[] => {
    const row = all[at];
    return row ? shown(row, markOf(all, pairs, at), look).map((line) => `${head}${line}`) : [];
  };
  return { count: all.length, rows, text: (at) => rows(at).join(""), far: (at) => at };
}

function digitsOf(rows: readonly DiffRow[]): number {
  return rows.reduce((widest, { number }) => Math.max(widest, String(number ?? 0).length), 2);
}

interface Mark {
  readonly from: number;
  readonly to: number;
}

/** A run of removed lines followed by as many added lines counts as changed lines. For each: the offset of its partner. */
function pairsIn(rows: readonly DiffRow[]): Int32Array {
  const pairs = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; ) {
    const removed = runFrom(rows, at, "removed");
    const added = runFrom(rows, at + removed, "added");
    if (removed === added) pairs.fill(removed, at, at + removed).fill(-removed, at + removed, at + removed + added);
    at += Math.max(1, removed + added);
  }
  return pairs;
}

function runFrom(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): number {
  let at = from;
  while (rows[at]?.kind === kind) at++;
  return at - from;
}

/** The part of a line that differs from its partner. */
function markOf(rows: readonly DiffRow[], pairs: Int32Array, at: number): Mark | null {
  const off = pairs[at] ?? 0;
  if (off === 0) return null;
  const [a, b] = [rows[at]?.text ?? "", rows[at + off]?.text ?? ""];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  // Never splits a surrogate pair whose half both lines share.
  if (/[\ud800-\udbff]/.test(a[from - 1] ?? "")) from--;
  if (/[\udc00-\udfff]/.test(a[a.length - end] ?? "")) end--;
  // Marks are useless when nearly everything differs.
  return from + end < Math.min(a.length, b.length) / 3 ? null : { from, to: a.length - end };
}

interface RowLook {
  readonly width: number;
  readonly digits: number;
  readonly theme: Theme;
}

const signs = { same: " ", added: "+", removed: "-" } as const;

function shown(row: DiffRow, mark: Mark | null, { width, digits, theme }: RowLook): readonly string[] {
  const { kind, number, text, change } = row;
  if (kind === "head") {
    const sign = change === undefined ? "" : `${theme.accent(change)} `;
    return wrapTextWithAnsi(`${sign}${theme.bold(visible(text))}`, width);
  }
  if (kind === "note") return wrapTextWithAnsi(theme.dim(visible(text)), width);
  if (kind === "gap") return [theme.dim(`${" ".repeat(digits)} ⋮`)];
  const style = kind === "added" ? theme.added : kind === "removed" ? theme.removed : theme.plain;
  const part = kind === "added" ? theme.addedPart : theme.removedPart;
  const clean = (piece: string): string => visible(piece.replaceAll("\t", "  "));
  const body =
    mark === null
      ? style(clean(text))
      : `${style(clean(text.slice(0, mark.from)))}${part(clean(text.slice(mark.from, mark.to)))}${style(clean(text.slice(mark.to)))}`;
  const head = `${theme.dim(String(number ?? "").padStart(digits))} ${style(signs[kind])} `;
  const under = " ".repeat(digits + 3);
  const wrapped = wrapTextWithAnsi(body, Math.max(1, width - digits - 3));
  return (wrapped.length > 0 ? wrapped : [""]).map((line, at) => `${at === 0 ? head : under}${line}`);
}
