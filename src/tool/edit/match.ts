import { type Shift, shifted } from "./indent.ts";
import { foldMarks, hasMarks } from "./marks.ts";

/**
 * Finds `old_string` in a file. The rungs of the ladder, each tried only if those above found nothing:
 * 1. exact;
 * 2. `line endings`: CRLF and LF are equal, also when checking that the match is unique;
 * 3. `trailing white space`: whole lines that differ only in trailing spaces;
 * 4. `indentation`: whole lines, all indented more, or less, by the same prefix;
 * 5. `tabs and spaces`: whole lines with the same nesting, tabs in one and spaces in the other;
 * 6. `quotes, dashes or spaces`: any of the above, with curly quotes, long dashes and fixed spaces folded to plain ones.
 * Nothing looser: a wrong place is worse than an error that shows the nearest text. Details: `docs/reference/files.md`.
 */
export type Rung =
  | "exact"
  | "line endings"
  | "trailing white space"
  | "indentation"
  | "tabs and spaces"
  | "quotes, dashes or spaces";

export interface Match {
  readonly start: number;
  readonly end: number;
  readonly shift?: Shift;
  /** `old_string` ends in a line break, the file does not. */
  readonly lacksBreak?: boolean;
  /** Text before `old_string` on its first line that is replaced too. */
  readonly lead?: string;
  readonly twin?: string;
}

export interface Matches {
  readonly rung: Rung;
  readonly matches: readonly Match[];
}

/** Differs in line endings at most. */
export function isExact(rung: Rung): boolean {
  return rung === "exact" || rung === "line endings";
}

/** Limit while looking for a single match; `all` has none. */
const maxMatches = 100_000;

export function countOf(matches: readonly Match[]): string {
  return matches.length < maxMatches ? String(matches.length) : `${maxMatches}+`;
}

/**
 * With `all`, matches do not overlap. Otherwise overlapping ones count, since each could be the intended one. `fits`: a filter by the
 * caller; a rung whose matches all fail it counts as empty.
 */
export function findMatches(text: string, old: string, all: boolean, fits = (_: Match): boolean => true): Matches {
  const found = climb(text, old, all, fits);
  if (found.matches.length > 0 || !(hasMarks(old) || hasMarks(text))) return found;
  const { matches } = climb(foldMarks(text), foldMarks(old), all, fits);
  const twins = matches.map((match) => ({ ...match, twin: twinOf(text, match, old) }));
  return { rung: "quotes, dashes or spaces", matches: twins };
}

function climb(text: string, old: string, all: boolean, fits: (match: Match) => boolean): Matches {
  const exact = exactMatches(text, old, all).filter(fits);
  // An `old_string` with explicit CRs means exactly those.
  if (exact.length > 0 && old.includes("\r")) return { rung: "exact", matches: exact };
  const normalised = endingMatches(text, old, all).filter(fits);
  if (normalised.length > exact.length) return { rung: "line endings", matches: normalised };
  if (exact.length > 0) return { rung: "exact", matches: exact };
  const wanted = wantedLines(old);
  const isBlank = wanted.lines.every((line) => line === "");
  // A patch may look for many hunks in one big file: rule out absent ones before splitting it into lines.
  if (isBlank || !wanted.lines.every((line) => text.includes(line.trimStart()))) return { rung: "exact", matches: [] };
  const lines = wholeLines(text);
  const accepted = (found: readonly Match[]) => (all ? withoutOverlaps(found.filter(fits)) : found.filter(fits));
  const trailing = accepted(lineMatches(lines, wanted, sameButEnd));
  if (trailing.length > 0) return { rung: "trailing white space", matches: trailing };
  const moved = accepted(lineMatches(lines, wanted, shiftOf));
  if (moved.length > 0) return { rung: "indentation", matches: moved };
  return { rung: "tabs and spaces", matches: accepted(restyledMatches(lines, wanted)) };
}

function withoutOverlaps(matches: readonly Match[]): readonly Match[] {
  let end = 0;
  return matches.filter((match) => {
    if (match.start < end) return false;
    end = match.end;
    return true;
  });
}

export function toLf(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

function exactMatches(text: string, old: string, all: boolean): readonly Match[] {
  return positions(text, old, all)
    .map((start) => ({ start, end: start + old.length }))
    .filter(({ start, end }) => !isWithinOne(text, start) && !isWithinOne(text, end));
}

/** A match must not split a CRLF or a surrogate pair. */
function isWithinOne(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isPair = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return isPair || (before === 13 && after === 10);
}

function positions(text: string, old: string, all: boolean): readonly number[] {
  const found: number[] = [];
  const step = all ? old.length : 1;
  const limit = all ? Number.POSITIVE_INFINITY : maxMatches;
  for (let at = text.indexOf(old); at !== -1 && found.length < limit; at = text.indexOf(old, at + step)) found.push(at);
  return found;
}

function endingMatches(text: string, old: string, all: boolean): readonly Match[] {
  if (!text.includes("\r\n") && !old.includes("\r\n")) return [];
  const wanted = toLf(old);
  const found = positions(toLf(text), wanted, all);
  if (found.length === 0) return [];
  const toRaw = rawPositions(text);
  return found.map((start) => ({ start: toRaw(start), end: toRaw(start + wanted.length) }));
}

/** Maps an index into `toLf(text)` to one into `text`. */
function rawPositions(text: string): (position: number) => number {
  const breaks: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) breaks.push(at - breaks.length);
  return (position) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (breaks[middle]! < position) low = middle + 1;
      else high = middle;
    }
    return position + low;
  };
}

/** `old` in the file's own characters, unit for unit; its own where the file has none. */
function twinOf(text: string, { start, end, shift }: Match, old: string): string {
  const own = toLf(text.slice(start, end)).split("\n");
  const twins = toLf(old)
    .split("\n")
    .map((line, index) => {
      const there = own[index] ?? "";
      const body = line.trimStart();
      const from = there.length - there.trimStart().length;
      // With unshifted indentation, the indentation is taken from the file too.
      const at = shift === undefined ? 0 : line.length - body.length;
      const twin = line.slice(0, at) + there.slice(shift === undefined ? 0 : from);
      return (twin + line.slice(twin.length)).slice(0, line.length);
    });
  return twins.join("\n");
}

interface Line {
  /** Without trailing white space. */
  readonly bare: string;
  readonly start: number;
  /** Index after the text, before the line break. */
  readonly end: number;
  /** Index after the line break. */
  readonly next: number;
}

function wholeLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found + 1;
    const raw = text.slice(start, found === -1 ? next : found);
    const length = raw.endsWith("\r") ? raw.length - 1 : raw.length;
    lines.push({ bare: raw.trimEnd(), start, end: start + length, next });
    start = next;
  }
  return lines;
}

interface WantedLines {
  /** Without trailing white space. */
  readonly lines: readonly string[];
  readonly endsInBreak: boolean;
}

function wantedLines(old: string): WantedLines {
  const plain = toLf(old);
  const endsInBreak = plain.endsWith("\n");
  const lines = (endsInBreak ? plain.slice(0, -1) : plain).split("\n");
  return { lines: lines.map((line) => line.trimEnd()), endsInBreak };
}

interface Difference {
  readonly shift?: Extract<Shift, { add: string } | { cut: string }>;
}

function lineMatches(
  lines: readonly Line[],
  wanted: WantedLines,
  compare: (line: string, other: string) => Difference | null,
): readonly Match[] {
  const count = wanted.lines.length;
  const key = wanted.lines.findIndex((line) => line !== "");
  const keyText = wanted.lines[key]!.trimStart();
  const found: Match[] = [];
  for (let first = 0; first + count <= lines.length; first++) {
    const { bare } = lines[first + key]!;
    if (!bare.endsWith(keyText) || bare.trimStart() !== keyText) continue;
    const difference = compare(bare, wanted.lines[key]!);
    if (difference === null || !areAlike(lines, first, wanted.lines, difference)) continue;
    const last = lines[first + count - 1]!;
    const lacksBreak = wanted.endsInBreak && last.next === last.end;
    found.push({
      start: lines[first]!.start,
      end: wanted.endsInBreak ? last.next : last.end,
      ...difference,
      ...(lacksBreak ? { lacksBreak } : {}),
    });
  }
  return found;
}

/** Allocates nothing: in a file of equal lines it runs once per line of every candidate place. */
function areAlike(
  lines: readonly Line[],
  first: number,
  wanted: readonly string[],
  { shift = { add: "" } }: Difference,
) {
  const more = "add" in shift ? shift.add : "";
  const less = "cut" in shift ? shift.cut : "";
  for (let index = 0; index < wanted.length; index++) {
    const line = lines[first + index]!.bare;
    const other = wanted[index]!;
    const isBlank = line === "" || other === "";
    if (isBlank ? line !== other : !isShifted(line, other, more, less)) return false;
  }
  return true;
}

function isShifted(line: string, other: string, more: string, less: string): boolean {
  if (line.length - more.length !== other.length - less.length) return false;
  if (!line.startsWith(more) || !other.startsWith(less)) return false;
  return less === "" ? line.endsWith(other) : other.endsWith(line);
}

const tabWidths = [4, 2, 8, 3];

/** Tries tabs for spaces and spaces for tabs, at the usual widths. */
function restyledMatches(lines: readonly Line[], wanted: WantedLines): readonly Match[] {
  const shifts: readonly Shift[] = tabWidths.flatMap((width) => [{ tabs: width }, { spaces: width }]);
  const found = shifts.flatMap((shift) => {
    const restyled = wanted.lines.map((line) => shifted(line, shift));
    if (restyled.every((line, index) => line === wanted.lines[index])) return [];
    return lineMatches(lines, { ...wanted, lines: restyled }, sameButEnd).map((match) => ({ ...match, shift }));
  });
  const byStart = new Map(found.toReversed().map((match) => [match.start, match]));
  return [...byStart.values()].sort((one, other) => one.start - other.start);
}

function sameButEnd(line: string, other: string): Difference | null {
  return line === other ? {} : null;
}

function shiftOf(line: string, other: string): Difference | null {
  if (line.length > other.length && line.endsWith(other)) return spaces(line.slice(0, -other.length), "add");
  if (other.length > line.length && other.endsWith(line)) return spaces(other.slice(0, -line.length), "cut");
  return null;
}

function spaces(start: string, way: "add" | "cut"): Difference | null {
  if (start.trim() !== "") return null;
  return { shift: way === "add" ? { add: start } : { cut: start } };
}
