import { findMatches, type Match, type Matches } from "../edit/match.ts";
import { type Hunk, oldLines } from "./form.ts";

/** A text split into lines, each with a line break; `hasFinalBreak` tells whether the last one has it in the file. */
export interface Sheet {
  readonly text: string;
  readonly lines: readonly string[];
  readonly starts: readonly number[];
  readonly hasFinalBreak: boolean;
}

export function sheetOf(text: string): Sheet {
  const hasFinalBreak = text === "" || text.endsWith("\n");
  const usual = /\r\n[^\n]*$/.test(text.slice(-10_000)) ? "\r\n" : "\n";
  const whole = hasFinalBreak ? text : text + usual;
  const lines: string[] = [];
  const starts: number[] = [];
  for (let start = 0; start < whole.length; ) {
    const next = whole.indexOf("\n", start) + 1;
    lines.push(whole.slice(start, next));
    starts.push(start);
    start = next;
  }
  return { text: whole, lines, starts, hasFinalBreak };
}

/** `first`: the hunk's first line, or for a pure insertion the line it goes before. */
export interface HunkPlace {
  readonly hunk: Hunk;
  readonly first: number;
  readonly rung: Matches["rung"];
  readonly shift?: NonNullable<Match["shift"]>;
  readonly twin?: string;
  /** The hunk named no place and was appended. */
  readonly isAppended?: boolean;
}

/** `candidates`: equally good places; empty if nothing fits. */
export interface NoPlace {
  readonly hunk: Hunk;
  readonly candidates: readonly number[];
}

export interface Before {
  /** How far the previous hunk was from its claimed line. */
  readonly drift: number;
  readonly end: number;
  readonly isSole: boolean;
}

export function placeHunk(sheet: Sheet, hunk: Hunk, before: Before): HunkPlace | NoPlace {
  const old = oldLines(hunk);
  if (old.length === 0) return placeInsertion(sheet, hunk, before);
  const wanted = `${old.join("\n")}\n`;
  const expected = hunk.line === null ? null : hunk.line + before.drift;
  for (const line of expected === null ? [] : [expected, expected - before.drift]) {
    const start = sheet.starts[line];
    if (start !== undefined && sheet.text.startsWith(wanted, start) && isEndRight(sheet, hunk, line + old.length))
      return { hunk, first: line, rung: "exact" };
  }
  const fits = ({ start }: Match): boolean => {
    const line = lineAt(sheet, start);
    return sheet.starts[line] === start && isEndRight(sheet, hunk, line + old.length);
  };
  const { rung, matches } = findMatches(sheet.text, wanted, false, fits);
  const lines = atTheEnd(
    matches.map(({ start }) => lineAt(sheet, start)),
    sheet.lines.length - old.length,
    hunk,
  );
  const first = chosen(sheet, lines, hunk, expected, before);
  if (first === null) return { hunk, candidates: lines };
  const match = matches.find(({ start }) => start === sheet.starts[first]);
  const { shift, twin } = match ?? {};
  return { hunk, first, rung, ...(shift === undefined ? {} : { shift }), ...(twin === undefined ? {} : { twin }) };
}

/** A hunk without a final line break only fits at the end of the file. */
function isEndRight(sheet: Sheet, { oldLacksBreak, newLacksBreak }: Hunk, end: number): boolean {
  return end === sheet.lines.length || !(oldLacksBreak || newLacksBreak);
}

function atTheEnd(lines: readonly number[], last: number, { isLast }: Hunk): readonly number[] {
  return isLast && lines.includes(last) ? [last] : lines;
}

function chosen(
  sheet: Sheet,
  lines: readonly number[],
  { anchors }: Hunk,
  expected: number | null,
  { end }: Before,
): number | null {
  if (lines.length < 2) return lines[0] ?? null;
  if (expected !== null) return nearest(lines, expected);
  const anchored = anchors.length === 0 ? [] : belowAnchors(sheet, lines, anchors);
  if (anchored.length === 1) return anchored[0] ?? null;
  // Without other evidence, hunks are in file order.
  const later = lines.filter((line) => line >= end);
  return anchored.length === 0 && end > 0 && later.length === 1 ? (later[0] ?? null) : null;
}

/** A claimed line number decides only if one place is near it and the next one clearly farther away. */
const nearLines = 20;
const timesFarther = 3;

function nearest(lines: readonly number[], expected: number): number | null {
  const byDistance = lines.toSorted((a, b) => Math.abs(a - expected) - Math.abs(b - expected));
  const [first = 0, second = 0] = byDistance;
  const [near, far] = [Math.abs(first - expected), Math.abs(second - expected)];
  return near <= nearLines && far >= near * timesFarther && far > near ? first : null;
}

/** The first place below each occurrence of the anchors. */
function belowAnchors(sheet: Sheet, lines: readonly number[], anchors: readonly string[]): readonly number[] {
  const places = anchorLines(sheet, anchors).map((line) => lines.find((one) => one >= line));
  return [...new Set(places.filter((line) => line !== undefined))];
}

/** The lines of the last anchor, each below an occurrence of the previous one. */
function anchorLines(sheet: Sheet, anchors: readonly string[]): readonly number[] {
  const [outer = [], ...inner] = anchors.map((anchor) => linesLike(sheet, anchor));
  const found = inner.reduce((above, lines) => {
    const below = above.map((line) => lines.find((one) => one > line));
    return [...new Set(below.filter((line) => line !== undefined))];
  }, outer);
  return found;
}

/** Equal apart from surrounding white space; if none is, lines with this prefix. */
function linesLike({ lines }: Sheet, anchor: string): readonly number[] {
  const wanted = anchor.trim();
  const where = (is: (line: string) => boolean): readonly number[] =>
    lines.flatMap((line, index) => (is(line.trim()) ? [index] : []));
  const equal = where((line) => line === wanted);
  return equal.length > 0 ? equal : where((line) => line.startsWith(wanted));
}

function placeInsertion(sheet: Sheet, hunk: Hunk, { drift, isSole }: Before): HunkPlace | NoPlace {
  const end = sheet.lines.length;
  const place = (first: number): HunkPlace => ({ hunk, first, rung: "exact" });
  if (end === 0 || hunk.isLast) return place(end);
  if (hunk.line !== null) {
    const first = hunk.line === 0 ? 0 : hunk.line + drift;
    return first > 0 === hunk.line > 0 && first <= end && isEndRight(sheet, hunk, first)
      ? place(first)
      : { hunk, candidates: [] };
  }
  if (hunk.isBare && isSole) return { ...place(end), isAppended: true };
  const below = anchorLines(sheet, hunk.anchors);
  return below.length === 1 ? place((below[0] ?? 0) + 1) : { hunk, candidates: below };
}

function lineAt({ starts }: Sheet, position: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
