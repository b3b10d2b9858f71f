import { ok, type Result } from "../../contract/error.ts";
import { badLine, type Hunk, type HunkLine } from "./form.ts";

export interface ReadHunk {
  readonly hunk: Hunk;
  readonly next: number;
}

/**
 * Reads a hunk from its `@@` line on. Its line counts are trusted only if something other than a hunk line follows where they end,
 * because models count badly. Otherwise the hunk extends as far as its lines look like hunk lines.
 */
export function readHunk(lines: readonly string[], at: number): Result<ReadHunk> {
  const head = headOf(lines[at] ?? "");
  const body = at + 1;
  const end = countedEnd(lines, body, head) ?? looseEnd(lines, body);
  if (typeof end !== "number") return badLine(lines, end.bad);
  return hunkOf(lines, { at, from: body, to: end }, head);
}

interface Head {
  readonly line: number | null;
  readonly old: number | null;
  readonly fresh: number | null;
  readonly words: string;
}

const numbers = /^@@\s*-(\d{1,9})(?:,(\d{1,9}))?(?:\s+\+\d{1,9}(?:,(\d{1,9}))?)?(?:\s*@@)?(.*)$/;

export function headOf(text: string): Head {
  const found = numbers.exec(text);
  if (found === null) {
    const words = text
      .slice(2)
      .replace(/@@\s*$/, "")
      .trim();
    return { line: null, old: null, fresh: null, words: words === "..." ? "" : words };
  }
  const [, first, old, fresh, words = ""] = found;
  // With an old count of 0, lines are inserted after line n; otherwise n is the first line of the hunk.
  const line = old === "0" ? Number(first) : Number(first) - 1;
  return { line: line < 0 ? null : line, old: Number(old ?? 1), fresh: Number(fresh ?? 1), words: words.trim() };
}

interface Stretch {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export function hunkOf(
  lines: readonly string[],
  { at, from, to }: Stretch,
  head: Pick<Head, "line" | "old" | "words">,
  more: { readonly anchors?: readonly string[]; readonly isLast?: boolean } = {},
): Result<ReadHunk> {
  const found: HunkLine[] = [];
  const lacks = { old: false, fresh: false };
  for (const line of lines.slice(from, to)) {
    const sign = line[0] ?? " ";
    if (sign === " " || sign === "+" || sign === "-") found.push({ sign, text: line.slice(1) });
    if (sign !== "\\") continue;
    const last = found.at(-1)?.sign;
    lacks.old ||= last !== "+";
    lacks.fresh ||= last !== "-";
  }
  if (found.every(({ sign }) => sign === " ")) return badLine(lines, at, "patch.no_hunk");
  const isInsertion = found.every(({ sign }) => sign === "+");
  // A hunk whose counts claim old lines but that shows none cannot be checked against the file.
  const line = isInsertion && head.old !== 0 ? null : head.line;
  const anchors = more.anchors ?? (head.words === "" || head.line !== null ? [] : [head.words]);
  const { isLast = false } = more;
  const isBare = head.line === null && anchors.length === 0;
  const ends = { oldLacksBreak: lacks.old, newLacksBreak: lacks.fresh, isLast };
  return ok({ hunk: { line, anchors, isBare, lines: found, ...ends, at: at + 1 }, next: to });
}

/** The end according to the counts; `null` if they are missing or wrong. */
function countedEnd(lines: readonly string[], from: number, head: Head): number | null {
  let { old, fresh } = head;
  if (old === null || fresh === null) return null;
  let at = from;
  for (; old > 0 || fresh > 0; at++) {
    const sign = at < lines.length ? (lines[at]?.[0] ?? " ") : "";
    if (!" +-\\".includes(sign) || sign === "" || isGitHeader(lines, at)) return null;
    if (sign === " " || sign === "-") old--;
    if (sign === " " || sign === "+") fresh--;
  }
  if (old < 0 || fresh < 0) return null;
  while (lines[at]?.startsWith("\\")) at++;
  return isBehindHunk(lines, at) ? at : null;
}

/** Blank lines may follow a hunk, but no further hunk lines. */
function isBehindHunk(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at, at + 20).findIndex((line) => line.trim() !== "");
  if (next === -1) return true;
  return isHeader(lines, at + next) || isSignature(lines, at + next) || !/^[ +\-\\]/.test(lines[at + next] ?? "");
}

function looseEnd(lines: readonly string[], from: number): number | { bad: number } {
  let at = from;
  while (at < lines.length && !isEnd(lines, at)) {
    if (!/^(?:[ +\-\\]|$)/.test(lines[at] ?? "")) return { bad: at };
    at++;
  }
  while (at > from && lines[at - 1] === "") at--;
  return at;
}

function isEnd(lines: readonly string[], at: number): boolean {
  return /^(?:@@|diff |Index: |\*\*\* |From )/.test(lines[at] ?? "") || isHeader(lines, at) || isSignature(lines, at);
}

export function isHeader(lines: readonly string[], at: number): boolean {
  return /^--- \S/.test(lines[at] ?? "") && /^\+\+\+ \S/.test(lines[at + 1] ?? "");
}

/** Such a clear start of the next file that it overrules the line counts. */
function isGitHeader(lines: readonly string[], at: number): boolean {
  const [old = "", fresh = "", hunk = ""] = lines.slice(at, at + 3);
  const isNamed = /^--- (?:"?a\/|\/dev\/null)/.test(old) && /^\+\+\+ (?:"?b\/|\/dev\/null)/.test(fresh);
  return isNamed && hunk.startsWith("@@");
}

/** The signature of a git mail: two dashes, then the version. */
export function isSignature(lines: readonly string[], at: number): boolean {
  return /^-- ?$/.test(lines[at] ?? "") && /^\d{1,4}\.\d{1,4}[\w.() -]{0,40}$/.test(lines[at + 1] ?? "");
}
