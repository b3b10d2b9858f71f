import { readSync } from "node:fs";
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { decodeAs, detectForm, type TextForm } from "./encoding.ts";
import { maxWholeBytes, type OpenFile } from "./open.ts";
import { cutLine, isBinary, maxLineChars, maxPageBytes, type Page, type PageWish, pastEnd } from "./page.ts";
import type { LocatedPath } from "./path.ts";

// Even, so that no two-byte character is split between chunks.
const chunkBytes = 2 ** 20;
const sampleBytes = 2 ** 16;
/** No shown part of a line takes more bytes than this in any encoding. */
const keptLineBytes = maxLineChars * 4 + 8;

/** A page of a file of any size; holds one chunk and one page, never the file. */
export async function streamPage({ fd, stat }: OpenFile, at: LocatedPath, wish: PageWish): Promise<Result<Page>> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const sample = Buffer.from(chunk.subarray(0, readSync(fd, chunk, 0, sampleBytes, 0)));
  const form = detectForm(sample, true);
  if (form === null) return isBinary(at, sample, stat.size);
  const hasher = stat.size <= maxWholeBytes ? new Bun.CryptoHasher("sha256") : null;
  const page = collectLines(form, wish);
  let position = 0;
  let isEnd = false;
  while (!isEnd && !(page.isFull() && hasher === null)) {
    if (wish.signal.aborted) return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
    const got = readSync(fd, chunk, 0, chunkBytes, position);
    const skip = position === 0 && form.bom ? (form.encoding === "utf-8" ? 3 : 2) : 0;
    hasher?.update(chunk.subarray(0, got));
    if (!page.isFull()) page.take(chunk.subarray(Math.min(skip, got), got));
    position += got;
    isEnd = got === 0;
    // Lets a cancel through; a gigabyte takes a while.
    await new Promise(setImmediate);
  }
  const { lines, total } = page.finish(isEnd);
  if (lines.length === 0) return pastEnd(at, wish.offset, total ?? 0);
  const hash = hasher?.digest("hex") ?? null;
  const more = total === null;
  return ok({ lines, first: wish.offset, total, more, size: stat.size, encoding: form.encoding, hash });
}

function collectLines(form: TextForm, wish: PageWish) {
  const plain: TextForm = { ...form, bom: false };
  const unit = form.encoding.startsWith("utf-16") ? 2 : 1;
  const lines: string[] = [];
  let shownBytes = 0;
  let number = 1;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;
  let full = false;

  const keep = (part: Buffer): void => {
    lineBytes += part.length;
    const room = Math.min(part.length, keptLineBytes - keptBytes);
    if (number < wish.offset || room <= 0) return;
    // A copy: the chunk is overwritten by the next read.
    kept.push(Buffer.from(part.subarray(0, room)));
    keptBytes += room;
  };
  const endLine = (): void => {
    if (number >= wish.offset) {
      const line = cutLine(decodeAs(Buffer.concat(kept), plain), lineBytes === keptBytes);
      shownBytes += Buffer.byteLength(line) + 8;
      if (shownBytes > maxPageBytes && lines.length > 0) {
        full = true;
        return;
      }
      lines.push(line);
    }
    number++;
    kept = [];
    keptBytes = 0;
    lineBytes = 0;
  };
  return {
    isFull: () => full,
    take(chunk: Buffer): void {
      for (let at = 0; at < chunk.length && !full; ) {
        full = lines.length === wish.limit;
        if (full) return;
        const end = newlineAt(chunk, at, form);
        keep(chunk.subarray(at, end === -1 ? chunk.length : end));
        if (end === -1) return;
        endLine();
        at = end + unit;
      }
    },
    /** The total only where the end was reached before the page was full. The last line may lack its line break. */
    finish(isEnd: boolean) {
      if (isEnd && !full && lineBytes > 0) endLine();
      return { lines, total: isEnd && !full ? number - 1 : null };
    },
  };
}

function newlineAt(chunk: Buffer, from: number, form: TextForm): number {
  if (!form.encoding.startsWith("utf-16")) return chunk.indexOf(10, from);
  const mark = form.encoding === "utf-16le" ? "\n\0" : "\0\n";
  // Only whole code units count: U+0A00 beside another character holds the same two bytes.
  for (let at = chunk.indexOf(mark, from, "latin1"); at !== -1; at = chunk.indexOf(mark, at + 1, "latin1")) {
    if ((at - from) % 2 === 0) return at;
  }
  return -1;
}
