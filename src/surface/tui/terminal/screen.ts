// The one place that writes frames. What is finished goes to the terminal's own scrollback and is never touched again; below it
// stands the live region. Only what differs is written: a line that grew costs its new end, a line that became final costs nothing.

import { clipped, fitting, isEven } from "./clip.ts";
import { anew, changed, fresh } from "./line-change.ts";
import { Recent, type Reflow, rowsAbove, rowsOf } from "./reflow.ts";
import { visibleWidth } from "./width.ts";

/** Where frames go. */
export interface ScreenOutput extends Reflow {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly rows: () => number;
}

export interface Frame {
  /** Each fits the width. */
  readonly lines: readonly string[];
  /** Where the person types; `null` hides the cursor. */
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

/** Nothing is shown between these two. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";
const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";
/** A line that a terminal takes for wider than we do is cut at its edge, and the lines below stay where they are. */
const NO_WRAP = "\x1b[?7l";
const WRAP = "\x1b[?7h";
const ERASE_BELOW = "\x1b[J";
/** From the beginning of a line on. In the corner of its screen tmux would put what is erased into the scrollback: so not from there. */
const ERASE_REGION = `\r\x1b[K\x1b[C${ERASE_BELOW}\r`;
const ENTER_WHOLE = "\x1b[?1049h\x1b[2J\x1b[H";
const LEAVE_WHOLE = "\x1b[?1049l";
const LAST_ROW = "\x1b[9999;1H\n";

/** A terminal has at least so many, also when it is becoming shorter. */
const SURE_ROWS = 16;

const nothing: Frame = { lines: [], cursor: null };

export class Screen {
  private readonly out: ScreenOutput;
  private shown: Frame = nothing;
  /** The line of the live region that the cursor is in. */
  private at = 0;
  private columns: number;
  private rows: number;
  private isCursorShown = true;
  private isWhole = false;
  private isDistrusted = false;
  /** The size was another one when it became so. */
  private isMoved = false;
  private narrowest: number | null = null;
  private waiting: string[] = [];
  private readonly recent = new Recent();
  /** What a terminal that got shorter has pushed into the scrollback, before it was finished. */
  private spilled: readonly string[] = [];

  constructor(out: ScreenOutput) {
    this.out = out;
    this.columns = out.columns();
    this.rows = out.rows();
  }

  /** Lines that are finished: they are written above the live region with the next frame. */
  commit(lines: readonly string[]): void {
    for (const line of lines) {
      const isThere = this.spilled[0] === line;
      this.spilled = isThere ? this.spilled.slice(1) : [];
      if (!isThere) this.waiting.push(line);
    }
  }

  /** `narrowest`: the fewest columns in between, where there were other sizes since the last frame than those of then and now. */
  draw(wanted: Frame, narrowest: number | null = null): void {
    if (this.isWhole) this.leaveWhole();
    this.narrowest = narrowest;
    const frame = clipped(wanted, this.out.rows(), this.out.columns());
    const isKnown = this.shown.lines.length > 0 && !this.isResized() && !this.isDistrusted;
    this.isDistrusted = false;
    const body = (isKnown ? this.changes(frame) : null) ?? this.whole(frame);
    this.write(body, frame);
  }

  /** The alternate screen, for what needs all of it; what is committed meanwhile comes with the next ordinary frame. */
  drawWhole(wanted: Frame): void {
    const enter = this.isWhole ? "" : this.put();
    if (enter === "" && this.isResized()) this.isMoved = true;
    this.isWhole = true;
    [this.columns, this.rows] = [this.out.columns(), this.out.rows()];
    const { lines, cursor } = wanted;
    const rows = lines.slice(0, this.out.rows()).map((line) => anew(fitting(line, this.out.columns())));
    const place = cursor === null ? "" : `\x1b[${cursor.row + 1};${cursor.column + 1}H${SHOW}`;
    const text = `${HIDE}${NO_WRAP}\x1b[H${rows.join("\r\n")}${ERASE_BELOW}${WRAP}${place}`;
    // Behind it the work goes on, and asks for frames in which nothing is new.
    if (text === this.lastWhole && enter === "" && !this.isDistrusted) return;
    this.lastWhole = text;
    this.isDistrusted = false;
    this.isCursorShown = cursor !== null;
    this.out.write(`${BEGIN}${enter}${text}${END}`);
  }

  private lastWhole = "";

  /** The live region goes before the alternate screen comes: a terminal of another size does not find it again. */
  private put(): string {
    const region = this.shown.lines.length === 0 ? "" : `${upBy(this.at)}${ERASE_REGION}`;
    this.forget();
    return `${region}${ENTER_WHOLE}`;
  }

  private leaveWhole(): void {
    const isMoved = this.isMoved || this.isResized();
    [this.isWhole, this.isMoved] = [false, false];
    // Where the cursor comes back to is no longer below what is committed: a new line at the end of the screen is.
    this.out.write(`${LEAVE_WHOLE}${isMoved ? LAST_ROW : ""}`);
  }

  /** The live region goes, what is committed stays; the cursor stands below it. */
  clear(): void {
    // Drawn whole, every finished line is followed by a new one.
    this.isDistrusted = true;
    this.draw(nothing);
    this.out.write(SHOW);
    this.isCursorShown = true;
  }

  /** After something else has written to the terminal: nothing is known of it, and the next frame begins below. */
  forget(): void {
    this.shown = nothing;
    this.at = 0;
    this.recent.forget();
  }

  /** Something else may have written into it: the next frame is drawn whole, from where the live region should begin. */
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

  /** Also of fewer rows: some terminals then drop what stands below the cursor. */
  private isResized(): boolean {
    return this.out.columns() !== this.columns || this.out.rows() !== this.rows;
  }

  /**
   * From the first line of the live region on, everything anew. It relies on nothing but the lines above the cursor, which no change
   * of the size takes away.
   */
  private whole({ lines }: Frame): string {
    const [columns, most, above] = [this.out.columns(), this.out.rows() - 1, this.above()];
    if (above > most && columns === this.columns) this.spilled = this.shown.lines.slice(0, above - most);
    const broken = rowsOf(this.shown.lines, columns) - this.shown.lines.length;
    this.recent.drawn(this.shown.lines.length, broken + Math.max(0, most + 1 - this.rows));
    const again = this.isResized() && this.isSure() ? this.recent.take(columns, Math.min(this.rows, most + 1)) : [];
    const up = Math.min(above + rowsOf(again, columns), most);
    this.waiting.unshift(...again);
    const committed = this.waiting.map((line) => `${fresh(line)}\r\n`);
    this.recent.add(this.waiting);
    this.waiting = [];
    this.at = Math.max(0, lines.length - 1);
    const live = lines.map(fresh).join("\r\n");
    return `${this.hidden()}${upBy(up)}${ERASE_REGION}${committed.join("")}${NO_WRAP}${live}${WRAP}`;
  }

  private above(): number {
    const columns = this.out.columns();
    const isBroken = columns < this.columns && this.out.doesReflow !== false;
    const fewer = Math.max(0, this.rows - this.out.rows());
    return isBroken && this.isSure() ? rowsAbove(this.shown, this.at, { columns, fewer }, this.out) : this.at;
  }

  /** Where several sizes came after each other, a terminal that counts what is below loses count. */
  private isSure(): boolean {
    const { narrowest } = this;
    if (narrowest === null || !this.out.countsBelow?.()) return true;
    return this.shown.lines.slice(this.at).every((line) => visibleWidth(line) <= narrowest);
  }

  /**
   * What was shown becomes what is committed and the new frame: lines at the end that are the same stay where they are, those before
   * them are changed in place, and what is more or less goes in or out between. `null`: it does not fit the screen at once.
   */
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
    // The cursor's place is counted from the first line that is not committed; it is left in none of those.
    this.at -= this.waiting.length;
    this.recent.add(this.waiting);
    this.waiting = [];
    if (this.at < 0) parts.push(this.to(0));
    return parts.length === 0 ? "" : `${this.hidden()}${NO_WRAP}${parts.join("")}${WRAP}`;
  }

  /** Room is made below, by scrolling where there is none, and then moved up to where it is needed. */
  private inserted(all: readonly string[], from: number, count: number, tail: number): string {
    const last = from + tail - 1;
    // What is committed is broken, not cut, should the terminal have become narrower just now.
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
    // Nothing stands below: it is wiped, so that a terminal needs to move nothing.
    if (tail === 0 && from > 0) return `${this.to(from - 1)}\r\n${ERASE_BELOW}${upBy(1)}`;
    return tail === 0 ? `${this.to(0)}${ERASE_REGION}` : `${this.to(from)}\r\x1b[${count}M`;
  }

  /** Moves to a line that is there, or was before the terminal became shorter: a line feed goes on where a cursor key would stop. */
  private to(row: number): string {
    const down = row - this.at;
    this.at = row;
    return down > 0 ? "\n".repeat(down) : upBy(-down);
  }

  private place({ lines, cursor }: Frame, isMoved: boolean): string {
    // Nobody sees it: in the first line no other size can part it from what is above.
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

/** A change that is worth less than this is made in place, wherever else something goes in or out. */
const CHEAP = 24;

/** How many lines at the end stay where they are, or nearly so. */
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
