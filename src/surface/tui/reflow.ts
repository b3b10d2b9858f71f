// Where things are after the terminal has got another size: it breaks lines that are too long for it, and moves the cursor with them.
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import type { Frame } from "./screen.ts";

/** How a terminal does that. */
export interface Reflow {
  /** `false`: it cuts lines that have become too long instead of breaking them. */
  readonly doesReflow?: boolean;
  /** `true`: where it breaks lines below the cursor, the cursor goes down as many rows, as if they had been above it. */
  readonly countsBelow?: () => boolean;
}

/** Rows that lines take at so many columns. */
export function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columns)), 0);
}

/** Rows of a frame that are now above the cursor, which stood in its line `at`. `fewer`: rows that the terminal has lost besides. */
export function rowsAbove(
  { lines, cursor }: Frame,
  at: number,
  { columns, fewer }: { readonly columns: number; readonly fewer: number },
  how: Reflow,
): number {
  const above = rowsOf(lines.slice(0, at), columns);
  if (!how.countsBelow?.()) return above + Math.floor((cursor?.column ?? 0) / columns);
  // It drops lines below the cursor before it breaks any.
  const [own, below] = [lines.slice(at, at + 1), lines.slice(at + 1, Math.max(at + 1, lines.length - fewer))];
  const more = rowsOf(below, columns) - below.length;
  // The line of the cursor is broken only when the cursor is not in it any more.
  return above + more + (more > 0 ? rowsOf(own, columns) - own.length : 0);
}

/** What was on its way when the size changed may have missed its place. */
const RECENT_MS = 500;

/** What was committed just now, with the frames below it. */
export class Recent {
  private lines: readonly { readonly line: string; readonly at: number }[] = [];
  private heights: readonly { readonly lines: number; readonly at: number }[] = [];

  add(lines: readonly string[]): void {
    const at = performance.now();
    this.lines = [...this.lines.filter((one) => at - one.at < RECENT_MS), ...lines.map((line) => ({ line, at }))];
  }

  drawn(lines: number): void {
    const at = performance.now();
    this.heights = [...this.heights.filter((one) => at - one.at < RECENT_MS), { lines, at }];
  }

  /** The last of them that are surely still on a screen of so many rows; they are forgotten. */
  take(columns: number, rows: number): readonly string[] {
    const now = performance.now();
    const recent = this.lines.filter(({ at }) => now - at < RECENT_MS).map(({ line }) => line);
    const room = rows - Math.max(0, ...this.heights.map(({ lines }) => lines));
    this.lines = [];
    let from = recent.length;
    while (from > 0 && rowsOf(recent.slice(from - 1), columns) <= room) from--;
    return recent.slice(from);
  }

  forget(): void {
    this.lines = [];
    this.heights = [];
  }
}
