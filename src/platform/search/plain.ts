// The fallback search without ripgrep: slower, single-threaded, with JavaScript's regular expressions.
import { closeSync, fstatSync } from "node:fs";
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../files/failure.ts";
import { readAll } from "../files/open.ts";
import { byPath, smallest } from "../files/smallest.ts";
import { decodeText } from "../files/text/encoding.ts";
import { shownAround } from "./around.ts";
import type { GlobFilter } from "./glob.ts";
import { openHeld } from "./held.ts";
import type { Scope } from "./scope.ts";
import { walk } from "./walk.ts";
import {
  cancelled,
  type FileWish,
  type FoundFiles,
  type Hit,
  notesOn,
  type SearchResult,
  shownLine,
  type TextWish,
  tooLong,
} from "./wish.ts";

const maxFileBytes = 4 * 2 ** 20;
/** JavaScript's matcher can take forever on one long line; this bounds the damage. */
const maxSearchedChars = 2000;

export async function plainFiles(wish: FileWish, filter: GlobFilter, scope: Scope): Promise<Result<FoundFiles>> {
  const first = smallest<string>(wish.max, byPath);
  let isPartial = false;
  const deadline = performance.now() + wish.timeoutMs;
  for await (const item of walk(wish, scope)) {
    const failed = overdue(wish, deadline);
    if (failed !== null) return failed;
    if (item.kind === "unread") isPartial = true;
    else if (item.kind === "file" && filter.fits(item.path)) first.add(item.path);
  }
  const total = first.total();
  const found = first.take();
  // Decoding makes a name that is not UTF-8 indistinguishable from one that contains this character; both are rare.
  const oddNames = found.filter((path) => path.includes("\ufffd")).length;
  return ok({ found, more: total > wish.max, total, notes: notesOn({ isPartial, oddNames }) });
}

interface Tally {
  readonly found: Hit[];
  isPartial: boolean;
  hidden: number;
  tooBig: number;
  longLines: number;
}

export async function plainText(wish: TextWish, filter: GlobFilter, scope: Scope): Promise<Result<SearchResult<Hit>>> {
  const pattern = patternOf(wish.pattern);
  if (!pattern.ok) return pattern;
  const tally: Tally = { found: [], isPartial: false, hidden: 0, tooBig: 0, longLines: 0 };
  const deadline = performance.now() + wish.timeoutMs;
  for await (const item of walk(wish, scope)) {
    if (item.kind === "unread") tally.isPartial = true;
    if (item.kind === "file" && filter.fits(item.path)) {
      const lines = await linesOf(item.real, tally);
      search(lines, item.path, wish, { pattern: pattern.value, deadline }, tally);
    }
    const failed = overdue(wish, deadline);
    if (failed !== null) return failed;
    if (tally.found.length > wish.max) break;
  }
  const { found } = tally;
  return ok({ found: found.slice(0, wish.max), more: found.length > wish.max, notes: notesOn(tally) });
}

function search(
  lines: readonly string[],
  path: string,
  wish: TextWish,
  { pattern, deadline }: { readonly pattern: RegExp; readonly deadline: number },
  tally: Tally,
): void {
  const isHidden = wish.isHidden?.(path) === true;
  for (const [index, line] of lines.entries()) {
    if (line.length > maxSearchedChars) tally.longLines++;
    const match = pattern.exec(line.slice(0, maxSearchedChars));
    if (match === null) continue;
    if (isHidden) tally.hidden++;
    else tally.found.push({ path, line: index + 1, text: shownAround(line, match.index) ?? shownLine(line) });
    if (isHidden || tally.found.length > wish.max || performance.now() > deadline) return;
  }
}

/** Supports a leading `(?i)`, which JavaScript lacks: the one flag that people write. */
function patternOf(source: string): Result<RegExp> {
  const isLoose = source.startsWith("(?i)");
  try {
    return ok(new RegExp(isLoose ? source.slice(4) : source, isLoose ? "iu" : "u"));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return fail("E_INVALID_ARGS", phrase("search.bad_pattern", { problem }));
  }
}

function overdue({ signal, timeoutMs }: FileWish | TextWish, deadline: number) {
  if (signal.aborted) return cancelled();
  return performance.now() > deadline ? tooLong(timeoutMs) : null;
}

/** Opened only at its real path: a folder on the way may have become a symlink meanwhile. */
function bytesOf(real: string): Buffer | "too big" | null {
  const fd = openHeld(Buffer.from(real));
  if (fd === null) return null;
  try {
    const { size } = fstatSync(fd);
    return size > maxFileBytes ? "too big" : readAll(fd, size);
  } finally {
    closeSync(fd);
  }
}

async function linesOf(real: string, tally: Tally): Promise<readonly string[]> {
  try {
    await new Promise(setImmediate);
    const bytes = bytesOf(real);
    if (bytes === "too big") tally.tooBig++;
    if (bytes === null) tally.isPartial = true;
    if (bytes === null || bytes === "too big") return [];
    const decoded = decodeText(bytes);
    // Ripgrep recognises UTF-16 only by its BOM.
    if (decoded === null || (decoded.encoding.startsWith("utf-16") && !decoded.bom)) return [];
    const { text } = decoded;
    const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
    return text === "" ? [] : lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  } catch (error) {
    // Unreadable or gone: the search continues without it.
    if (errnoOf(error) === undefined) throw error;
    tally.isPartial = true;
    return [];
  }
}
