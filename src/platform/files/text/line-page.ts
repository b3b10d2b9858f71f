import { costOf, cutLine, maxLineChars, maxPageBytes, type PageWish } from "./page.ts";

/** Collects one page from generated lines, as for a notebook or a PDF. */
export class LinePage {
  readonly lines: string[] = [];
  /** Number of lines offered so far. */
  count = 0;
  /** At least one line follows the page. */
  isFull = false;
  private bytes = 0;
  private readonly wish: Pick<PageWish, "offset" | "limit">;

  constructor(wish: Pick<PageWish, "offset" | "limit">) {
    this.wish = wish;
  }

  /** False when no further line is needed. */
  add(line: string): boolean {
    this.count++;
    if (this.isFull || this.count < this.wish.offset) return !this.isFull;
    const shown = cutLine(line, line.length <= maxLineChars);
    this.bytes += costOf(shown, this.count);
    this.isFull = this.lines.length === this.wish.limit || (this.bytes > maxPageBytes && this.lines.length > 0);
    if (!this.isFull) this.lines.push(shown);
    return !this.isFull;
  }
}
