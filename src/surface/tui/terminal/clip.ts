import type { Frame } from "./screen.ts";
import { sliceByColumn, visibleWidth } from "./width.ts";

export function fitting(line: string, columns: number): string {
  return visibleWidth(line) > columns ? sliceByColumn(line, 0, columns) : line;
}

/** Lines beyond the screen would scroll away for good, so only the last ones are drawn. */
export function clipped({ lines, cursor }: Frame, rows: number, columns: number): Frame {
  const most = Math.max(1, rows - 1);
  const cut = Math.min(Math.max(0, lines.length - most), cursor?.row ?? lines.length);
  const cutLines = lines.slice(cut, cut + most).map((line) => fitting(line, columns));
  if (cursor === null) return { lines: cutLines, cursor };
  return { lines: cutLines, cursor: { row: cursor.row - cut, column: Math.min(cursor.column, columns - 1) } };
}

/** Terminals disagree about the width of joined emoji and flags. */
const joined = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}]/u;

/** Takes exactly one row in every terminal. */
export function isEven(line: string, columns: number): boolean {
  return visibleWidth(line) <= columns && !joined.test(line);
}
