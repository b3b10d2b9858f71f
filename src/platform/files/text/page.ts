import { closeSync } from "node:fs";
import { fail, ok, type Result } from "../../../contract/error.ts";
import { visible } from "../../../contract/show/visible.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { ioFailure } from "../failure.ts";
import { sha256 } from "../hash.ts";
import { maxWholeBytes, type OpenFile, openFile, readAll, showSize } from "../open.ts";
import type { LocatedPath } from "../path.ts";
import { binaryKind, decodeText, type Encoding, isCrOnly } from "./encoding.ts";

export interface PageWish {
  readonly offset: number;
  readonly limit: number;
  /** First character of that line, from 1: continues a line that was cut. */
  readonly column?: number | undefined;
  readonly signal: AbortSignal;
}

interface Stretch {
  readonly text: string;
  /** Range of the shown characters, from 1, and the length of the line. */
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

export interface Page {
  readonly lines: readonly string[];
  readonly first: number;
  readonly total: number | null;
  readonly more: boolean;
  readonly isCut: boolean;
  readonly stretch?: Stretch;
  readonly size: number;
  readonly encoding: Encoding;
  /** Hash of the whole file; `null`: too big to be changed by our tools. */
  readonly hash: string | null;
}

export const maxLineChars = 2000;
/** Text never has more characters than bytes, so a page with its notes stays below the limit of a result (`bound-output.ts`). */
export const maxPageBytes = 28 * 1024;
/** As many as fit into a page in any encoding. */
const maxStretchChars = Math.floor(maxPageBytes / 3) - 100;
/** Up to this size a file is read at once; larger ones are streamed. */
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

export async function pageOf(opened: OpenFile, at: LocatedPath, wish: PageWish): Promise<Result<Page>> {
  // Columns count characters in the whole text, so the file must fit into memory, up to the limit of an edit.
  const isWhole = wish.column !== undefined && opened.stat.size <= maxWholeBytes;
  if (isWhole || opened.stat.size <= smallBytes) return smallPage(opened, at, wish);
  const { streamPage } = await import("./stream.ts");
  return await streamPage(opened, at, wish);
}

export function smallPage({ fd, stat }: OpenFile, at: LocatedPath, wish: PageWish): Result<Page> {
  const bytes = readAll(fd, stat.size);
  const decoded = decodeText(bytes);
  if (decoded === null) return isBinary(at, bytes, bytes.length);
  // Classic Mac OS files end lines with CR alone.
  const text = isCrOnly(decoded.text) ? decoded.text.replaceAll("\r", "\n") : decoded.text;
  const total = countLines(text);
  const start = startOfLine(text, wish.offset);
  if (start === -1) return pastEnd(at, wish.offset, total);
  const common = { first: wish.offset, total, size: bytes.length, encoding: decoded.encoding, hash: sha256(bytes) };
  if (wish.column === undefined) {
    const { lines, isCut } = takeLines(text, start, wish);
    return ok({ ...common, lines, isCut, more: wish.offset - 1 + lines.length < total });
  }
  const line = lineFrom(text, start);
  const stretch = stretchOf(line, wish.column);
  if (stretch === null) {
    const args = { path: visible(at.shown), line: wish.offset, length: line.length };
    return fail("E_INVALID_ARGS", phrase("file.past_line", args));
  }
  return ok({ ...common, lines: [stretch.text], isCut: false, stretch, more: wish.offset < total });
}

function takeLines(text: string, start: number, { offset, limit }: PageWish): Pick<Page, "lines" | "isCut"> {
  const lines: string[] = [];
  let bytes = 0;
  let isCut = false;
  for (let at = start; at < text.length && lines.length < limit; ) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    const isWhole = end - at <= maxLineChars + 1;
    const line = cutLine(text.slice(at, isWhole ? end : at + maxLineChars + 1), isWhole);
    bytes += costOf(line, offset + lines.length);
    if (bytes > maxPageBytes && lines.length > 0) break;
    isCut ||= line.length > maxLineChars;
    lines.push(line);
    at = end + 1;
  }
  return { lines, isCut };
}

/** Bytes that a line takes on a page: number, tab, text, line break. */
export function costOf(line: string, number: number): number {
  return Buffer.byteLength(line) + String(number).length + 2;
}

function lineFrom(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  const line = end === -1 ? text.slice(start) : text.slice(start, end);
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Begins and ends between whole characters; `null`: the line is too short. */
function stretchOf(line: string, column: number): Stretch | null {
  if (column > line.length) return null;
  const from = wholeFrom(line, column - 1);
  const to = wholeFrom(line, Math.min(line.length, from + maxStretchChars));
  return { text: line.slice(from, to).toWellFormed(), from: from + 1, to, of: line.length };
}

/** The nearest offset at or before this one that does not split a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000 ? at - 1 : at;
}

/** `head`: the whole line, or a longer start of it than is shown. Replaces lone surrogates, which JSON refuses. */
export function cutLine(head: string, isWhole: boolean): string {
  const line = (isWhole && head.endsWith("\r") ? head.slice(0, -1) : head).toWellFormed();
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, wholeFrom(line, maxLineChars))} [line cut at ${maxLineChars} characters]`;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

/** Offset of line `n`; -1: none. The first line of an empty file is at 0. */
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

/** Collects one page from generated lines, as for a notebook or a PDF. */
export class LinePage {
  readonly lines: string[] = [];
  count = 0;
  isFull = false;
  private bytes = 0;
  private readonly wish: Pick<PageWish, "offset" | "limit">;

  constructor(wish: Pick<PageWish, "offset" | "limit">) {
    this.wish = wish;
  }

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
