// The only place that writes frames. Finished lines go to the terminal's own scrollback and are never touched again; the live region stands
// below. Only differences are written: a longer line costs its new end, a line that becomes final costs nothing.

import { anew, changed, fresh } from "./line-change.ts";
import { Recent, type Reflow, rowsAbove, rowsOf } from "./reflow.ts";
import { sliceByColumn, visibleWidth } from "./width.ts";

export interface ScreenOutput extends Reflow {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly rows: () => number;
}

export interface Frame {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

/** Synchronized output: the terminal shows nothing between these two. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";
const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";
/** A line that the terminal considers wider than we do is cut at the edge, so that the lines below stay in place. */
const NO_WRAP = "\x1b[?7l";
const WRAP = "\x1b[?7h";
const ERASE_BELOW = "\x1b[J";
/** Spares the first cell of the line: in the corner of the screen tmux would push the erased lines into the scrollback. */
const ERASE_REGION = `\r\x1b[K\x1b[C${ERASE_BELOW}\r`;
const ENTER_WHOLE = "\x1b[?1049h\x1b[2J\x1b[H";
const LEAVE_WHOLE = "\x1b[?1049l";
const LAST_ROW = "\x1b[9999;1H\n";

/** A terminal has at least this many rows, even while it shrinks. */
const SURE_ROWS = 16;

const nothing: Frame = { lines: [], cursor: null };

export class Screen {
  private readonly out: ScreenOutput;
  private readonly retold: (lines: readonly string[], after: number) => readonly string[];
  private shown: Frame = nothing;
  /** The line of the live region that the cursor is in. */
  private at = 0;
  private columns: number;
  private rows: number;
  private isCursorShown = true;
  private isWhole = false;
  private isDistrusted = false;
  private isMoved = false;
  private narrowest: number | null = null;
  private waiting: string[] = [];
  private readonly recent = new Recent();
  /** Lines that a shrinking terminal has pushed into the scrollback before they were final. */
  private spilled: readonly string[] = [];

  /** `retold`: committed lines as they look at a new width; `after`: how many were committed behind them. */
  constructor(out: ScreenOutput, retold: Screen["retold"] = (lines) => lines) {
    this.retold = retold;
    this.out = out;
    this.columns = out.columns();
    this.rows = out.rows();
  }

  commit(lines: readonly string[]): void {
    for (const line of lines) {
      const isThere = this.spilled[0] === line;
      this.spilled = isThere ? this.spilled.slice(1) : [];
      if (!isThere) this.waiting.push(line);
    }
  }

  /** `narrowest`: the smallest width since the last frame, if there was another one than the previous and the current. */
  draw(wanted: Frame, narrowest: number | null = null): void {
    if (this.isWhole) this.leaveWhole();
    this.narrowest = narrowest;
    const frame = clipped(wanted, this.out.rows(), this.out.columns());
    const isKnown = this.shown.lines.length > 0 && !this.isResized() && !this.isDistrusted;
    this.isDistrusted = false;
    const body = (isKnown ? this.changes(frame) : null) ?? this.whole(frame);
    this.write(body, frame);
  }

  drawWhole(wanted: Frame): void {
    const enter = this.isWhole ? "" : this.put();
    if (enter === "" && this.isResized()) this.isMoved = true;
    this.isWhole = true;
    [this.columns, this.rows] = [this.out.columns(), this.out.rows()];
    const { lines, cursor } = wanted;
    const rows = lines.slice(0, this.out.rows()).map((line) => anew(fitting(line, this.out.columns())));
    const place = cursor === null ? "" : `\x1b[${cursor.row + 1};${cursor.column + 1}H${SHOW}`;
    const text = `${HIDE}${NO_WRAP}\x1b[H${rows.join("\r\n")}${ERASE_BELOW}${WRAP}${place}`;
    // A search behind a panel asks for frames in which nothing has changed.
    if (text === this.lastWhole && enter === "" && !this.isDistrusted) return;
    this.lastWhole = text;
    this.isDistrusted = false;
    this.isCursorShown = cursor !== null;
    this.out.write(`${BEGIN}${enter}${text}${END}`);
  }

  private lastWhole = "";

  /** Erases the live region before the switch: after a resize it could not be found again. */
  private put(): string {
    const region = this.shown.lines.length === 0 ? "" : `${upBy(this.at)}${ERASE_REGION}`;
    this.forget();
    return `${region}${ENTER_WHOLE}`;
  }

  private leaveWhole(): void {
    const isMoved = this.isMoved || this.isResized();
    [this.isWhole, this.isMoved] = [false, false];
    // After a resize, the restored cursor may be above committed lines; a new line at the end of the screen is below them.
    this.out.write(`${LEAVE_WHOLE}${isMoved ? LAST_ROW : ""}`);
  }

  /** Erases the live region; committed lines stay, and the cursor stands below them. */
  clear(): void {
    // A full redraw ends every finished line with a line break.
    this.isDistrusted = true;
    this.draw(nothing);
    this.out.write(SHOW);
    this.isCursorShown = true;
  }

  /** Another program has written to the terminal: the next frame begins below. */
  forget(): void {
    this.shown = nothing;
    this.at = 0;
    this.recent.forget();
  }

  /** Another program may have written into the live region: the next frame redraws all of it in place. */
  distrust(): void {
    this.isDistrusted = true;
  }

  private write(body: string, frame: Frame): void {
    const cursor = this.place(frame, body !== "");
    this.shown = frame;
    this.recent.drawn(frame.lines.length);
    this.columns = this.out.columns();
    this.rows = this.out.rows();
    if (body + cursor !== "") this.out.write(`${BEGIN}${body}${cursor}${END}`);
  }

  /** Rows count too: some terminals drop lines below the cursor when they shrink. */
  private isResized(): boolean {
    return this.out.columns() !== this.columns || this.out.rows() !== this.rows;
  }

  /** Redraws everything from the first line of the live region. Relies only on the lines above the cursor, which no resize removes. */
  private whole({ lines }: Frame): string {
    const [columns, most, above] = [this.out.columns(), this.out.rows() - 1, this.above()];
    if (above > most && columns === this.columns) this.spilled = this.shown.lines.slice(0, above - most);
    const broken = rowsOf(this.shown.lines, columns) - this.shown.lines.length;
    this.recent.drawn(this.shown.lines.length, broken + Math.max(0, most + 1 - this.rows));
    const old = this.isResized() && this.isSure() ? this.toWriteAgain(columns, most + 1) : [];
    const up = Math.min(above + rowsOf(old, columns), most);
    this.waiting.unshift(...(columns === this.columns ? old : this.retold(old, this.waiting.length)));
    const committed = this.waiting.map((line) => `${fresh(line)}\r\n`);
    this.recent.add(this.waiting, columns);
    this.waiting = [];
    this.at = Math.max(0, lines.length - 1);
    const live = lines.map(fresh).join("\r\n");
    return `${this.hidden()}${upBy(up)}${ERASE_REGION}${committed.join("")}${NO_WRAP}${live}${WRAP}`;
  }

  /** All that is in view, at a new width; after several, or where the terminal cuts lines, what may have missed its place. */
  private toWriteAgain(columns: number, rows: number): readonly string[] {
    const isKnown = this.narrowest === null && this.out.doesReflow !== false;
    if (columns > this.columns) this.recent.widened(this.columns, columns);
    return this.recent.take(columns, Math.min(this.rows, rows), isKnown && columns !== this.columns);
  }

  private above(): number {
    const columns = this.out.columns();
    const isBroken = columns < this.columns && this.out.doesReflow !== false;
    const fewer = Math.max(0, this.rows - this.out.rows());
    return isBroken && this.isSure() ? rowsAbove(this.shown, this.at, { columns, fewer }, this.out) : this.at;
  }

  /** After several resizes, a terminal that counts lines below the cursor is unpredictable. */
  private isSure(): boolean {
    const { narrowest } = this;
    if (narrowest === null || !this.out.countsBelow?.()) return true;
    return this.shown.lines.slice(this.at).every((line) => visibleWidth(line) <= narrowest);
  }

  /** Equal lines at the end stay, others change in place, appear or vanish. `null`: the change does not fit on one screen. */
  private changes({ lines }: Frame): string | null {
    const old = this.shown.lines;
    const all = this.waiting.length > 0 ? [...this.waiting, ...lines] : lines;
    const tail = tailOf(old, all);
    const added = all.length - old.length;
    if (added > 0 && added + tail > Math.min(this.rows - 1, SURE_ROWS)) return null;
    if (this.waiting.some((line) => !isEven(line, this.columns))) return null;
    const parts: string[] = [];
    const kept = Math.min(old.length, all.length) - tail;
    for (const [row, line] of old.entries()) {
      const isTail = row >= old.length - tail;
      if (row >= kept && !isTail) continue;
      const change = changed(line, all[isTail ? row + added : row] ?? "");
      if (change !== "") parts.push(`${this.to(row)}\r${change}`);
    }
    if (added > 0) parts.push(this.inserted(all, kept, added, tail));
    if (added < 0) parts.push(this.removed(kept, -added, tail));
    // The cursor's row counts from the first line that is not committed, and must not be above it.
    this.at -= this.waiting.length;
    this.recent.add(this.waiting, this.columns);
    this.waiting = [];
    if (this.at < 0) parts.push(this.to(0));
    return parts.length === 0 ? "" : `${this.hidden()}${NO_WRAP}${parts.join("")}${WRAP}`;
  }

  /** Makes room at the bottom, by scrolling if necessary, then moves it up to its place. */
  private inserted(all: readonly string[], from: number, count: number, tail: number): string {
    const last = from + tail - 1;
    // Committed lines may wrap, not be cut, in case the terminal has just become narrower.
    const done = Math.max(0, Math.min(count, this.waiting.length - from));
    const lines = all.slice(from, from + count).map(fresh);
    const first = done === 0 ? "" : `${WRAP}${lines.slice(0, done).join("\r\n")}${NO_WRAP}`;
    const rest = lines.slice(done).join("\r\n");
    const text = first !== "" && done < count ? `${first}\r\n${rest}` : `${first}${rest}`;
    const down = `${this.to(last)}${"\n".repeat(count)}`;
    this.at = from + count - 1;
    if (tail === 0) return `${down}${upBy(count - 1)}\r${text}`;
    return `${down}${upBy(count + tail - 1)}\r\x1b[${count}L${text}`;
  }

  private removed(from: number, count: number, tail: number): string {
    // With nothing below, erasing is cheaper than moving lines.
    if (tail === 0 && from > 0) return `${this.to(from - 1)}\r\n${ERASE_BELOW}${upBy(1)}`;
    return tail === 0 ? `${this.to(0)}${ERASE_REGION}` : `${this.to(from)}\r\x1b[${count}M`;
  }

  /** Moves to a line that exists, or existed before the terminal shrank: a line feed works where a cursor key would stop. */
  private to(row: number): string {
    const down = row - this.at;
    this.at = row;
    return down > 0 ? "\n".repeat(down) : upBy(-down);
  }

  private place({ lines, cursor }: Frame, isMoved: boolean): string {
    // A hidden cursor stays in the first line, where a resize cannot separate it from the lines above.
    if (cursor === null) return `${this.hidden()}${this.at === 0 ? "" : `${this.to(0)}\r`}`;
    const row = Math.min(cursor.row, Math.max(0, lines.length - 1));
    const isThere = this.at === row && this.shown.cursor?.column === cursor.column;
    if (!isMoved && this.isCursorShown && isThere) return "";
    return `${this.to(row)}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ""}${this.revealed()}`;
  }

  private revealed(): string {
    if (this.isCursorShown) return "";
    this.isCursorShown = true;
    return SHOW;
  }

  private hidden(): string {
    if (!this.isCursorShown) return "";
    this.isCursorShown = false;
    return HIDE;
  }
}

function upBy(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}

/** A change shorter than this is made in place rather than by inserting or removing lines. */
const CHEAP = 24;

/** The number of lines at the end that stay in place, with small changes at most. */
function tailOf(old: readonly string[], all: readonly string[]): number {
  const most = Math.min(old.length, all.length);
  let count = 0;
  while (count < most) {
    const change = changed(old[old.length - 1 - count] ?? "", all[all.length - 1 - count] ?? "");
    if (change.length > CHEAP) break;
    count++;
  }
  return count;
}

function fitting(line: string, columns: number): string {
  return visibleWidth(line) > columns ? sliceByColumn(line, 0, columns) : line;
}

/** Lines beyond the screen would scroll away for good, so only the last ones are drawn. */
function clipped({ lines, cursor }: Frame, rows: number, columns: number): Frame {
  const most = Math.max(1, rows - 1);
  const cut = Math.min(Math.max(0, lines.length - most), cursor?.row ?? lines.length);
  const cutLines = lines.slice(cut, cut + most).map((line) => fitting(line, columns));
  if (cursor === null) return { lines: cutLines, cursor };
  return { lines: cutLines, cursor: { row: cursor.row - cut, column: Math.min(cursor.column, columns - 1) } };
}

/** Terminals disagree about the width of joined emoji and flags. */
const joined = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}]/u;

/** Takes exactly one row in every terminal. */
function isEven(line: string, columns: number): boolean {
  return visibleWidth(line) <= columns && !joined.test(line);
}
