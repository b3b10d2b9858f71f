/**
 * Where `old_string` is in a file. The ladder, each rung tried only when the ones above found nothing:
 * 1. exact;
 * 2. `line endings`: CRLF and LF count as the same;
 * 3. `trailing white space`: whole lines that differ only in spaces at their ends;
 * 4. `indentation`: whole lines that are all indented by the same more, or the same less.
 * Nothing looser: a wrong place is worse than an error that shows the nearest text.
 */
type Rung = "exact" | "line endings" | "trailing white space" | "indentation";

export interface Match {
  readonly start: number;
  readonly end: number;
  /** What the file's lines have more (`add`) or less (`cut`) at their start than `old_string`. */
  readonly shift?: { readonly add: string } | { readonly cut: string };
  /** `old_string` ends in a line break and the file does not. */
  readonly lacksBreak?: boolean;
}

export interface Matches {
  readonly rung: Rung;
  readonly matches: readonly Match[];
}

/** For a match that must be the only one; `all` takes every one. */
const maxMatches = 100_000;

/** The number of matches, for people: beyond the limit nobody counted. */
export function countOf(matches: readonly Match[]): string {
  return matches.length < maxMatches ? String(matches.length) : `${maxMatches}+`;
}

/**
 * `all`: matches do not overlap. Otherwise overlapping ones count, since each could be the one that was meant.
 * `fits`: further demands of the caller; a rung on which nothing meets them counts as empty.
 */
export function findMatches(text: string, old: string, all: boolean, fits = (_: Match): boolean => true): Matches {
  const exact = exactMatches(text, old, all).filter(fits);
  if (exact.length > 0) return { rung: "exact", matches: exact };
  const normalised = endingMatches(text, old, all).filter(fits);
  if (normalised.length > 0) return { rung: "line endings", matches: normalised };
  const lines = wholeLines(text);
  const wanted = wantedLines(old);
  if (wanted.lines.every((line) => line.trim() === "")) return { rung: "exact", matches: [] };
  const sameButEnd = (line: string, other: string): Difference | null =>
    line.trimEnd() === other.trimEnd() ? {} : null;
  const trailing = lineMatches(lines, wanted, sameButEnd).filter(fits);
  if (trailing.length > 0) return { rung: "trailing white space", matches: trailing };
  return { rung: "indentation", matches: lineMatches(lines, wanted, shiftOf).filter(fits) };
}

export function toLf(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

function exactMatches(text: string, old: string, all: boolean): readonly Match[] {
  return positions(text, old, all)
    .map((start) => ({ start, end: start + old.length }))
    .filter(({ start, end }) => !isWithinOne(text, start) && !isWithinOne(text, end));
}

/** Between the CR and the LF of one line break, or the halves of one character, nothing may begin or end. */
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

/** From a position in `toLf(text)` to the one in `text`. */
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

interface Line {
  readonly text: string;
  readonly start: number;
  /** Behind the text, before the line break. */
  readonly end: number;
  /** Behind the line break. */
  readonly next: number;
}

function wholeLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found + 1;
    const raw = text.slice(start, found === -1 ? next : found);
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    lines.push({ text: line, start, end: start + line.length, next });
    start = next;
  }
  return lines;
}

interface Wanted {
  readonly lines: readonly string[];
  readonly endsInBreak: boolean;
}

function wantedLines(old: string): Wanted {
  const plain = toLf(old);
  const endsInBreak = plain.endsWith("\n");
  return { lines: (endsInBreak ? plain.slice(0, -1) : plain).split("\n"), endsInBreak };
}

type Difference = Pick<Match, "shift">;

/** Places where every line agrees and all of them differ in the same way. */
function lineMatches(
  lines: readonly Line[],
  wanted: Wanted,
  compare: (line: string, other: string) => Difference | null,
): readonly Match[] {
  const count = wanted.lines.length;
  const key = wanted.lines.findIndex((line) => line.trim() !== "");
  const keyText = wanted.lines[key]!.trim();
  const found: Match[] = [];
  for (let first = 0; first + count <= lines.length; first++) {
    if (lines[first + key]!.text.trim() !== keyText) continue;
    const difference = compare(lines[first + key]!.text, wanted.lines[key]!);
    if (
      difference === null ||
      !wanted.lines.every((line, index) => isAlike(lines[first + index]!.text, line, difference, compare))
    )
      continue;
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

function isAlike(
  line: string,
  other: string,
  wanted: Difference,
  compare: (line: string, other: string) => Difference | null,
): boolean {
  if (other.trim() === "") return line.trim() === "";
  const difference = compare(line, other);
  return difference !== null && JSON.stringify(difference) === JSON.stringify(wanted);
}

function shiftOf(line: string, other: string): Difference | null {
  const [ours, theirs] = [line.trimEnd(), other.trimEnd()];
  if (ours.length > theirs.length && ours.endsWith(theirs)) return spaces(ours.slice(0, -theirs.length), "add");
  if (theirs.length > ours.length && theirs.endsWith(ours)) return spaces(theirs.slice(0, -ours.length), "cut");
  return null;
}

function spaces(start: string, way: "add" | "cut"): Difference | null {
  if (start.trim() !== "") return null;
  return { shift: way === "add" ? { add: start } : { cut: start } };
}
