// Finds lines again after a resize: the terminal rewraps lines that are too long, and moves the cursor along.

import type { Frame } from "./screen.ts";
import { visibleWidth } from "./width.ts";

export interface Reflow {
  /** `false`: it cuts long lines instead of wrapping them. */
  readonly doesReflow?: boolean;
  /** `true`: when it rewraps lines below the cursor, it moves the cursor down as if they had been above. */
  readonly countsBelow?: () => boolean;
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

export class Recent {
  private lines: readonly { readonly line: string; readonly at: number }[] = [];
  private frames: readonly { readonly lines: number; readonly lost: number; readonly at: number }[] = [];

  add(lines: readonly string[]): void {
    const at = performance.now();
    const fresh = lines.slice(-MOST).map((line) => ({ line, at }));
    this.lines = [...this.lines.filter((one) => at - one.at < RECENT_MS), ...fresh].slice(-MOST);
  }

  /** `lost`: empty rows below the frame, after a resize. */
  drawn(lines: number, lost = 0): void {
    const at = performance.now();
    this.frames = [...this.frames.filter((one) => at - one.at < RECENT_MS), { lines, lost, at }];
  }

  /** Removes and returns the last lines that are certainly still on a screen of this size. */
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
