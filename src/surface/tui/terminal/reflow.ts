// Where things are after the terminal has got another size: it breaks lines that are too long for it, and moves the cursor with them.

import type { Frame } from "./screen.ts";
import { visibleWidth } from "./width.ts";

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
  // It drops lines below the cursor before it breaks any; then it goes upwards, and leaves alone the one where the cursor is by then.
  const kept = lines.slice(0, Math.max(at + 1, lines.length - fewer));
  return kept.reduceRight((row, line, index) => (row === index ? row : row + rowsOf([line], columns) - 1), at);
}

/** What was on its way when the size changed may have missed its place. */
const RECENT_MS = 500;
/** No screen has more rows. */
const MOST = 200;

/** What was committed just now, with the frames below it. */
export class Recent {
  private lines: readonly { readonly line: string; readonly at: number }[] = [];
  private frames: readonly { readonly lines: number; readonly lost: number; readonly at: number }[] = [];

  add(lines: readonly string[]): void {
    const at = performance.now();
    const fresh = lines.slice(-MOST).map((line) => ({ line, at }));
    this.lines = [...this.lines.filter((one) => at - one.at < RECENT_MS), ...fresh].slice(-MOST);
  }

  /** `lost`: rows that are empty below it, because of another size. */
  drawn(lines: number, lost = 0): void {
    const at = performance.now();
    this.frames = [...this.frames.filter((one) => at - one.at < RECENT_MS), { lines, lost, at }];
  }

  /** The last of them that are surely still on a screen of so many rows; they are forgotten. */
  take(columns: number, rows: number): readonly string[] {
    const now = performance.now();
    const recent = this.lines.filter(({ at }) => now - at < RECENT_MS).map(({ line }) => line);
    const lost = this.frames.reduce((sum, one) => sum + one.lost, 0);
    const room = rows - lost - Math.max(0, ...this.frames.map(({ lines }) => lines));
    this.lines = [];
    let from = recent.length;
    while (from > 0 && rowsOf(recent.slice(from - 1), columns) <= room) from--;
    return recent.slice(from);
  }

  forget(): void {
    this.lines = [];
    this.frames = [];
  }
}
