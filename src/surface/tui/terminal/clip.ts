// Frames and lines that fit the terminal as it is.
import type { Frame } from "./screen.ts";
import { sliceByColumn, visibleWidth } from "./width.ts";

export function fitting(line: string, columns: number): string {
  return visibleWidth(line) > columns ? sliceByColumn(line, 0, columns) : line;
}

/** What does not fit the terminal would scroll away and could not be taken back: the last lines are the ones that count. */
export function clipped({ lines, cursor }: Frame, rows: number, columns: number): Frame {
  const most = Math.max(1, rows - 1);
  // Where the person types is seen in any case.
  const cut = Math.min(Math.max(0, lines.length - most), cursor?.row ?? lines.length);
  const cutLines = lines.slice(cut, cut + most).map((line) => fitting(line, columns));
  if (cursor === null) return { lines: cutLines, cursor };
  return { lines: cutLines, cursor: { row: cursor.row - cut, column: Math.min(cursor.column, columns - 1) } };
}

/** Joined pictures, flags and their kind are one wide letter for some terminals and several for others. */
const joined = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}]/u;

/** It takes one row, whatever the terminal counts. */
export function isEven(line: string, columns: number): boolean {
  return visibleWidth(line) <= columns && !joined.test(line);
}
