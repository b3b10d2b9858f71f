// A unified diff for people: line numbers, and within a changed line the part that changed.
import { wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import { visible } from "../../../contract/visible.ts";
import type { Theme } from "../theme.ts";
import { type DiffRow, rowsIn } from "./diff-rows.ts";

export interface DiffShape {
  /** No more lines than this. */
  readonly most?: number;
  /** The names of the files stand elsewhere. */
  readonly isNameless?: true;
}

/** `text`: one or more files, as `diff -u` and git write them. */
export function diffLines(text: string, width: number, theme: Theme, shape: DiffShape = {}): readonly string[] {
  const most = shape.most ?? Number.POSITIVE_INFINITY;
  const all = rowsIn(text, most);
  const rows = shape.isNameless ? all.filter(({ kind }) => kind !== "head") : all;
  const digits = rows.reduce((widest, { number }) => Math.max(widest, String(number ?? 0).length), 2);
  const marked = marksIn(rows);
  const lines: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (lines.length >= most) break;
    for (const line of shown(row, marked.get(at) ?? null, { width, digits, theme })) lines.push(line);
  }
  return lines.length > most ? lines.slice(0, most) : lines;
}

interface Mark {
  readonly from: number;
  readonly to: number;
}

/** Runs of removed lines that are followed by as many added ones are the same lines, changed. */
function marksIn(rows: readonly DiffRow[]): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>();
  for (let at = 0; at < rows.length; ) {
    const removed = runFrom(rows, at, "removed");
    const added = runFrom(rows, at + removed, "added");
    if (removed > 0 && removed === added)
      for (let n = 0; n < removed; n++) markPair(rows, at + n, at + removed + n, marks);
    at += Math.max(1, removed + added);
  }
  return marks;
}

function runFrom(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): number {
  let at = from;
  while (rows[at]?.kind === kind) at++;
  return at - from;
}

function markPair(rows: readonly DiffRow[], old: number, now: number, marks: Map<number, Mark>): void {
  const [a, b] = [rows[old]?.text ?? "", rows[now]?.text ?? ""];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  // Never between the halves of one character, of which both have one.
  if (/[\ud800-\udbff]/.test(a[from - 1] ?? "")) from--;
  if (/[\udc00-\udfff]/.test(a[a.length - end] ?? "")) end--;
  // Where nearly everything differs, marking it says nothing.
  if (from + end < Math.min(a.length, b.length) / 3) return;
  marks.set(old, { from, to: a.length - end });
  marks.set(now, { from, to: b.length - end });
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
