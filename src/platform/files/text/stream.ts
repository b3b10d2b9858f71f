import { isAscii } from "node:buffer";
import { readSync } from "node:fs";
import { fail, ok, type Result } from "../../../contract/error.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { maxWholeBytes, type OpenFile } from "../open.ts";
import type { LocatedPath } from "../path.ts";
import { bomLength, decodeAs, detectForm, isCrOnly, type TextForm } from "./encoding.ts";
import { costOf, cutLine, isBinary, maxLineChars, maxPageBytes, type Page, type PageWish, pastEnd } from "./page.ts";

// Even, so that no two-byte character is split between chunks.
const chunkBytes = 2 ** 20;
const sampleBytes = 2 ** 16;
const keptLineBytes = maxLineChars * 4 + 8;

/** A page of a file of any size; holds one chunk and one page in memory, never the file. */
export async function streamPage({ fd, stat }: OpenFile, at: LocatedPath, wish: PageWish): Promise<Result<Page>> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const sample = sampleOf(fd, stat.size, chunk);
  const form = detectForm(sample, true);
  if (form === null) return isBinary(at, sample, stat.size);
  const hasher = stat.size <= maxWholeBytes ? new Bun.CryptoHasher("sha256") : null;
  const page = new LineCollector(form, isCrOnly(decodeAs(sample, form)) ? "\r" : "\n", wish);
  let position = 0;
  let isEnd = false;
  while (!isEnd && !(page.isFull && hasher === null)) {
    if (wish.signal.aborted) return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
    const got = readSync(fd, chunk, 0, chunkBytes, position);
    const skip = position === 0 ? bomLength(form) : 0;
    hasher?.update(chunk.subarray(0, got));
    if (!page.isFull) page.take(chunk.subarray(Math.min(skip, got), got));
    position += got;
    isEnd = got === 0;
    // Lets a cancellation through; a gigabyte takes a while.
    await new Promise(setImmediate);
  }
  const total = page.finish(isEnd);
  const { lines } = page;
  if (lines.length === 0) return pastEnd(at, wish.offset, total ?? 0);
  const hash = hasher?.digest("hex") ?? null;
  const more = total === null;
  const { isCut } = page;
  return ok({ lines, first: wish.offset, total, more, isCut, size: stat.size, encoding: form.encoding, hash });
}

/** Enough to detect the encoding. For a file that may be changed, an ASCII start is not: continue from the first other byte. */
function sampleOf(fd: number, size: number, chunk: Buffer): Buffer {
  const head = Buffer.from(chunk.subarray(0, readSync(fd, chunk, 0, sampleBytes, 0)));
  if (size > maxWholeBytes || !isAscii(head)) return head;
  for (let position = 0; position < size; position += chunk.length) {
    const part = chunk.subarray(0, readSync(fd, chunk, 0, chunk.length, position));
    if (part.length === 0) break;
    if (isAscii(part)) continue;
    const from = position + part.findIndex((byte) => byte >= 0x80);
    return Buffer.concat([head, chunk.subarray(0, readSync(fd, chunk, 0, sampleBytes, from))]);
  }
  return head;
}

/** Collects the wanted lines from chunks of any size; never keeps more of a line than is shown. */
class LineCollector {
  readonly lines: string[] = [];
  isFull = false;
  isCut = false;
  private readonly form: TextForm;
  private readonly lineEnd: LineEnd;
  private readonly wish: PageWish;
  private number = 1;
  private shownBytes = 0;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private lineBytes = 0;

  constructor(form: TextForm, lineEnd: LineEnd, wish: PageWish) {
    this.form = { ...form, bom: false };
    this.lineEnd = lineEnd;
    this.wish = wish;
  }

  take(chunk: Buffer): void {
    const unit = this.form.encoding.startsWith("utf-16") ? 2 : 1;
    for (let at = 0; at < chunk.length && !this.isFull; ) {
      this.isFull = this.lines.length === this.wish.limit;
      if (this.isFull) return;
      const end = lineEndAt(chunk, at, this.form, this.lineEnd);
      this.keep(chunk.subarray(at, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.endLine();
      at = end + unit;
    }
  }

  /** Number of lines if the end was reached before the page was full. The last line may lack its line break. */
  finish(isEnd: boolean): number | null {
    if (isEnd && !this.isFull && this.lineBytes > 0) this.endLine();
    return isEnd && !this.isFull ? this.number - 1 : null;
  }

  private keep(part: Buffer): void {
    this.lineBytes += part.length;
    const room = Math.min(part.length, keptLineBytes - this.keptBytes);
    if (this.number < this.wish.offset || room <= 0) return;
    // A copy, because the next read overwrites the chunk.
    this.kept.push(Buffer.from(part.subarray(0, room)));
    this.keptBytes += room;
  }

  private endLine(): void {
    if (this.number >= this.wish.offset) {
      const line = cutLine(decodeAs(Buffer.concat(this.kept), this.form), this.lineBytes === this.keptBytes);
      this.shownBytes += costOf(line, this.number);
      this.isFull = this.shownBytes > maxPageBytes && this.lines.length > 0;
      if (this.isFull) return;
      this.isCut ||= line.length > maxLineChars;
      this.lines.push(line);
    }
    this.number++;
    this.kept = [];
    this.keptBytes = 0;
    this.lineBytes = 0;
  }
}

type LineEnd = "\n" | "\r";

function lineEndAt(chunk: Buffer, from: number, { encoding }: TextForm, char: LineEnd): number {
  if (!encoding.startsWith("utf-16")) return chunk.indexOf(char, from);
  const mark = encoding === "utf-16le" ? `${char}\0` : `\0${char}`;
  // Only aligned code units count: U+0A00 beside another character contains the same two bytes.
  for (let at = chunk.indexOf(mark, from, "latin1"); at !== -1; at = chunk.indexOf(mark, at + 1, "latin1")) {
    if ((at - from) % 2 === 0) return at;
  }
  return -1;
}
