// A text of any length and its lines of any length, in pieces: a piece is a line, or as much of one as fills a few rows.
import { clean, wrap } from "../terminal/fit.ts";
import { getGraphemeSegmenter } from "../terminal/width.ts";
import type { Lines } from "./lines.ts";

interface Manner {
  /** Makes a piece fit to be shown. */
  readonly show: (piece: string) => string;
  /** In rows that fit; `isMore`: it goes on with the line before it. */
  readonly rows: (shown: string, isMore: boolean) => readonly string[];
  /** A line that was drawn over is as it was drawn last. */
  readonly isDrawnOver?: true;
}

/** Rows that a piece of a longer line fills: a text without blanks, or of wide letters alone, fills them to their ends. */
const ROWS = 16;
/** So far before its end a good place to break it is looked for. */
const LOOK = 64;
/** The place of every so many pieces is kept. */
const STRIDE = 32;
const [LF, CR] = [10, 13];
/** A code that has not come to its end yet. */
const unfinished = /\x1b[^\x1b]{0,60}$/;
/** The last that something was drawn behind. */
const lastReturn = /\r[^\r]+$/;
const blanks = / +[^ ]*$/;

export class LongText implements Lines {
  readonly count: number;
  private readonly source: string;
  private readonly manner: Manner;
  private readonly most: number;
  private readonly starts: number[] = [];
  /** The piece that was looked at last: its number, where it begins and is shown from, and where the next one begins. */
  private at = -1;
  private start = 0;
  private from = 0;
  private next = 0;
  /** From where on it is known where the line ends, and where. */
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

  /** The end of the line stays until then: what stands before it may mean something with it. */
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

  /** The piece that begins there. */
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

  /** Of the line that goes on there. A long one is looked through once, and not for each of its pieces. */
  private lineEnd(start: number): number {
    if (start < this.lineFrom || start > this.lineTo) {
      const end = this.source.charCodeAt(start) === LF ? start : this.source.indexOf("\n", start);
      this.lineTo = end === -1 ? this.source.length : end;
      this.lineFrom = start;
    }
    return this.lineTo;
  }

  /** Behind what was drawn over within the next piece. */
  private drawnFrom(from: number, end: number): number {
    const piece = this.source.slice(from, from + this.most);
    const at = piece.search(lastReturn);
    return at === -1 || from + at + 1 >= end ? from : from + at + 1;
  }

  /** Where a line is broken that is too long for one piece: before blanks, never within a letter or a code. */
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

/** Broken at words; blanks at a break are not shown. */
export function wordWrapped(width: number): Manner["rows"] {
  return (shown, isMore) => wrap(isMore ? shown.trimStart() : shown, width);
}

/** Text from outside, to be read. */
export function readable(text: string, width: number): Lines {
  return new LongText(text, width, { show: clean, rows: wordWrapped(width) });
}
