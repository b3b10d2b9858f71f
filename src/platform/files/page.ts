import { closeSync } from "node:fs";
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { visible } from "../../contract/visible.ts";
import { binaryKind, decodeText, type Encoding, isCrOnly } from "./encoding.ts";
import { ioFailure } from "./failure.ts";
import { sha256 } from "./hash.ts";
import { type OpenFile, openFile, readAll, showSize } from "./open.ts";
import type { LocatedPath } from "./path.ts";

export interface PageWish {
  /** First line, counted from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface Page {
  readonly lines: readonly string[];
  readonly first: number;
  /** `null` when the end of the file was not looked for. */
  readonly total: number | null;
  readonly more: boolean;
  readonly size: number;
  readonly encoding: Encoding;
  /** Of the whole file; `null` when it is too big to be changed by our tools. */
  readonly hash: string | null;
}

export const maxLineChars = 2000;
export const maxPageBytes = 50 * 1024;
/** Up to here a file is read in one go; above, it streams by. */
const smallBytes = 4 * 2 ** 20;

export async function readPage(at: LocatedPath, wish: PageWish): Promise<Result<Page>> {
  const opened = openFile(at);
  if (!opened.ok) return opened;
  try {
    return await pageOf(opened.value, at, wish);
  } catch (error) {
    return ioFailure(error, visible(at.shown));
  } finally {
    closeSync(opened.value.fd);
  }
}

/** Of a file that the caller has opened, and closes. Throws what the disk throws. */
export async function pageOf(opened: OpenFile, at: LocatedPath, wish: PageWish): Promise<Result<Page>> {
  if (opened.stat.size <= smallBytes) return smallPage(opened, at, wish);
  const { streamPage } = await import("./stream.ts");
  return await streamPage(opened, at, wish);
}

/** Throws what the disk throws. */
export function smallPage({ fd, stat }: OpenFile, at: LocatedPath, wish: PageWish): Result<Page> {
  const bytes = readAll(fd, stat.size);
  const decoded = decodeText(bytes);
  if (decoded === null) return isBinary(at, bytes, bytes.length);
  // Files of the old Macintosh end their lines by CR alone.
  const text = isCrOnly(decoded.text) ? decoded.text.replaceAll("\r", "\n") : decoded.text;
  const total = countLines(text);
  const start = startOfLine(text, wish.offset);
  if (start === -1) return pastEnd(at, wish.offset, total);
  const lines = takeLines(text, start, wish.limit);
  const more = wish.offset - 1 + lines.length < total;
  return ok({
    lines,
    first: wish.offset,
    total,
    more,
    size: bytes.length,
    encoding: decoded.encoding,
    hash: sha256(bytes),
  });
}

function takeLines(text: string, start: number, limit: number): readonly string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (let at = start; at < text.length && lines.length < limit; ) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    const isWhole = end - at <= maxLineChars + 1;
    const line = cutLine(text.slice(at, isWhole ? end : at + maxLineChars + 1), isWhole);
    bytes += Buffer.byteLength(line) + 8;
    if (bytes > maxPageBytes && lines.length > 0) break;
    lines.push(line);
    at = end + 1;
  }
  return lines;
}

/** `head` is the whole line, or a longer start of it than is shown. Half pairs are shown as broken: JSON refuses them. */
export function cutLine(head: string, isWhole: boolean): string {
  const line = (isWhole && head.endsWith("\r") ? head.slice(0, -1) : head).toWellFormed();
  if (line.length <= maxLineChars) return line;
  const isSplitPair = /[\ud800-\udbff]/.test(line[maxLineChars - 1]!);
  return `${line.slice(0, isSplitPair ? maxLineChars - 1 : maxLineChars)} [line cut at ${maxLineChars} characters]`;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

/** Where line `n` starts; -1 when there is none. The first line of an empty file is at 0. */
function startOfLine(text: string, n: number): number {
  let at = 0;
  for (let line = 1; line < n; line++) {
    at = text.indexOf("\n", at) + 1;
    if (at === 0 || at === text.length) return -1;
  }
  return at;
}

export function isBinary(at: LocatedPath, head: Buffer, size: number) {
  const args = { path: visible(at.shown), kind: binaryKind(head), size: showSize(size) };
  return fail("E_INVALID_ARGS", phrase("file.binary", args), { advice: phrase("advice.use_shell") });
}

export function pastEnd(at: LocatedPath, offset: number, total: number) {
  return fail("E_INVALID_ARGS", phrase("file.past_end", { path: visible(at.shown), offset, total }));
}
