// A text of any length with lines of any length, in pieces: a piece is a line, or a part of one that fills a few rows.
import { clean, wrap } from "../terminal/fit.ts";
import { getGraphemeSegmenter } from "../terminal/width.ts";
import type { Lines } from "./lines.ts";

interface Manner {
  readonly show: (piece: string) => string;
  /** Lays out a piece; `isMore`: it continues a line. */
  readonly rows: (shown: string, isMore: boolean) => readonly string[];
  /** A carriage return overwrites the line, as on a screen. */
  readonly isDrawnOver?: true;
}

/** Rows per piece of a longer line; without blanks, or with wide characters only, a piece fills them to the end. */
const ROWS = 16;
const LOOK = 64;
/** The offset of every piece with this stride is cached. */
const STRIDE = 32;
const [LF, CR] = [10, 13];
const unfinished = /\x1b[^\x1b]{0,60}$/;
const lastReturn = /\r[^\r]+$/;
const blanks = / +[^ ]*$/;

export class LongText implements Lines {
  readonly count: number;
  private readonly source: string;
  private readonly manner: Manner;
  private readonly most: number;
  private readonly starts: number[] = [];
  /** The current piece: its number, its offset, the offset it is shown from, and the offset of the next one. */
  private at = -1;
  private start = 0;
  private from = 0;
  private next = 0;
  /** The last line end that was found, and the offset the search began at. */
  private lineFrom = 0;
  private lineTo = -1;

  constructor(source: string, width: number, manner: Manner) {
    this.source = source;
    this.manner = manner;
    this.most = Math.max(2 * LOOK, ROWS * width);
    while (this.next <= source.length) {
      this.scan(this.next);
      if (this.at % STRIDE === 0) this.starts.push(this.start);
    }
    this.count = this.at + 1;
  }

  rows(at: number): readonly string[] {
    this.find(at);
    const before = this.source.charCodeAt(this.from - 1);
    const isMore = this.from > 0 && before !== LF && !(this.manner.isDrawnOver && before === CR);
    return this.manner.rows(this.shown(this.next), isMore);
  }

  text(at: number, more: number): string {
    this.find(at);
    const isWhole = this.source.charCodeAt(this.next - 1) === LF;
    return this.shown(isWhole ? this.next : this.next + more);
  }

  far(at: number): number {
    if (at >= this.count) return this.source.length + 1;
    this.find(at);
    return this.start;
  }

  /** The line end is cut off last: it may change the meaning of what precedes it. */
  private shown(to: number): string {
    const piece = this.manner.show(this.source.slice(this.from, to));
    const end = piece.indexOf("\n");
    return end === -1 ? piece : piece.slice(0, end);
  }

  private find(at: number): void {
    if (at === this.at) return;
    if (at < this.at || at >= this.at + STRIDE) {
      this.at = at - (at % STRIDE) - 1;
      this.next = this.starts[Math.floor(at / STRIDE)] ?? 0;
    }
    while (this.at < at) this.scan(this.next);
  }

  private scan(start: number): void {
    const end = this.lineEnd(start);
    let from = start;
    while (end - from > this.most && this.manner.isDrawnOver) {
      const drawn = this.drawnFrom(from, end);
      if (drawn === from) break;
      from = drawn;
    }
    this.at++;
    this.start = start;
    this.from = from;
    this.next = end - from > this.most ? this.cut(from + this.most) : end + 1;
  }

  /** Cached, so that a long line is searched once and not for each of its pieces. */
  private lineEnd(start: number): number {
    if (start < this.lineFrom || start > this.lineTo) {
      const end = this.source.charCodeAt(start) === LF ? start : this.source.indexOf("\n", start);
      this.lineTo = end === -1 ? this.source.length : end;
      this.lineFrom = start;
    }
    return this.lineTo;
  }

  /** Skips what is overwritten within the next piece. */
  private drawnFrom(from: number, end: number): number {
    const piece = this.source.slice(from, from + this.most);
    const at = piece.search(lastReturn);
    return at === -1 || from + at + 1 >= end ? from : from + at + 1;
  }

  /** Breaks a long line before blanks, never within a character or an escape sequence. */
  private cut(at: number): number {
    const first = at - LOOK;
    const end = this.source.slice(first, at);
    const code = this.manner.isDrawnOver ? end.search(unfinished) : -1;
    if (code !== -1) return first + code;
    const blank = end.search(blanks);
    if (blank !== -1) return first + blank;
    const letter = getGraphemeSegmenter()
      .segment(this.source.slice(first, at + LOOK))
      .containing(LOOK);
    return first + (letter && letter.index > 0 ? letter.index : LOOK);
  }
}

export function wordWrapped(width: number): Manner["rows"] {
  return (shown, isMore) => wrap(isMore ? shown.trimStart() : shown, width);
}

export function readable(text: string, width: number): Lines {
  return new LongText(text, width, { show: clean, rows: wordWrapped(width) });
}
