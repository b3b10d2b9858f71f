// Finds lines again after a resize: the terminal rewraps lines that are too long, and moves the cursor along.

import type { Frame } from "./screen.ts";
import { visibleWidth } from "./width.ts";

export interface Reflow {
  /** `false`: it cuts long lines instead of wrapping them. */
  readonly doesReflow?: boolean;
  /** `true`: when it rewraps lines below the cursor, it moves the cursor down as if they had been above. */
  readonly countsBelow?: () => boolean;
}

/** Finished lines of one origin, and how they look at the width that the terminal has now; `null`: as they are. */
export interface Told {
  readonly lines: readonly string[];
  readonly again: (() => readonly string[]) | null;
}

export function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columns)), 0);
}

/** The rows of the frame above the cursor, which was in line `at`. `fewer`: rows that the terminal has lost as well. */
export function rowsAbove(
  { lines, cursor }: Frame,
  at: number,
  { columns, fewer }: { readonly columns: number; readonly fewer: number },
  how: Reflow,
): number {
  const above = rowsOf(lines.slice(0, at), columns);
  if (!how.countsBelow?.()) return above + Math.floor((cursor?.column ?? 0) / columns);
  // xterm.js first drops lines below the cursor, then rewraps from the bottom up, except the line that holds the cursor by then.
  const kept = lines.slice(0, Math.max(at + 1, lines.length - fewer));
  return kept.reduceRight((row, line, index) => (row === index ? row : row + rowsOf([line], columns) - 1), at);
}

/** Output that was in transit during a resize may have landed in the wrong place. */
const RECENT_MS = 500;
const MOST = 200;

/** The last finished lines, and how many of them are certainly still on the screen. */
export class Recent {
  private lines: readonly { readonly line: string; readonly at: number }[] = [];
  private frames: readonly { readonly lines: number; readonly at: number }[] = [];
  private height = 0;
  /** The most rows that may stand empty below the frame, where a higher one was. */
  private empty = 0;

  add(lines: readonly string[], columns: number): void {
    const at = performance.now();
    this.lines = [...this.lines, ...lines.slice(-MOST).map((line) => ({ line, at }))].slice(-MOST);
    this.empty = Math.max(0, this.empty - rowsOf(lines, columns));
  }

  /** `lost`: empty rows below the frame, after a resize. */
  drawn(lines: number, lost = 0): void {
    const at = performance.now();
    this.frames = [...this.frames.filter((one) => at - one.at < RECENT_MS), { lines, at }];
    this.empty = Math.max(0, this.empty + this.height - lines) + lost;
    this.height = lines;
  }

  /** Removes and returns the last lines that are certainly still on a screen of this size; `isAll`: however old they are. */
  take(columns: number, rows: number, isAll: boolean): readonly string[] {
    const now = performance.now();
    const known = this.lines.filter(({ at }) => isAll || now - at < RECENT_MS).map(({ line }) => line);
    const room = rows - this.empty - Math.max(this.height, ...this.frames.map(({ lines }) => lines));
    this.lines = [];
    let from = known.length;
    while (from > 0 && rowsOf(known.slice(from - 1), columns) <= room) from--;
    const taken = known.slice(from);
    this.empty += rowsOf(taken, columns);
    return taken;
  }

  /** Rows that a wider terminal has joined again may be missing below. */
  widened(from: number, to: number): void {
    const lines = this.lines.map(({ line }) => line);
    this.empty += Math.max(0, rowsOf(lines, from) - rowsOf(lines, to));
  }

  forget(): void {
    this.lines = [];
    this.frames = [];
    [this.height, this.empty] = [0, 0];
  }
}
