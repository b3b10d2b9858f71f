import { type ErrorInfo, fail } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { refuseElision } from "../edit/change.ts";
import { elisionIn } from "../edit/elision.ts";
import type { Run } from "../edit/indent.ts";
import { isExact } from "../edit/match.ts";
import { nearestText, shownLine } from "../edit/nearest.ts";
import { asInFile } from "../edit/splice.ts";
import { type Hunk, oldLines } from "./form.ts";
import { type Before, type HunkPlace, type NoPlace, placeHunk, type Sheet, sheetOf } from "./place.ts";

interface PatchedText {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  readonly notes: readonly string[];
  /** Every hunk has context, and all of it matches the file exactly. */
  readonly isShown: boolean;
}

/** How many more failed hunks get the nearest text, which is slow to find. */
export interface Budget {
  left: number;
}

export type PatchAnswer =
  | { readonly ok: true; readonly value: PatchedText }
  | { readonly ok: false; readonly errors: readonly ErrorInfo[] };

/** Places every hunk in the old text, in any order, and reports each that does not fit. */
export function patchText(text: string, hunks: readonly Hunk[], path: string, budget: Budget): PatchAnswer {
  const sheet = sheetOf(text);
  const places: HunkPlace[] = [];
  const errors: ErrorInfo[] = [];
  const isSole = hunks.length === 1;
  let before: Before = { drift: 0, end: 0, isSole };
  for (const hunk of hunks) {
    const found = placeHunk(sheet, hunk, before);
    if ("candidates" in found) {
      errors.push(unplaced(sheet, found, path, budget));
      continue;
    }
    places.push(found);
    const drift = hunk.line === null ? before.drift : found.first - hunk.line;
    before = { drift, end: found.first + oldLines(hunk).length, isSole };
    const [old, fresh] = [oldLines(hunk), hunk.lines.flatMap(({ sign, text }) => (sign === "-" ? [] : [text]))];
    const elided = elisionIn(old.join("\n"), fresh.join("\n"), path);
    if (elided !== null) errors.push(refuseElision(elided, path).error);
  }
  if (errors.length > 0) return { ok: false, errors };
  const edits = mergedEdits(sheet, places, path);
  if ("code" in edits) return { ok: false, errors: [edits] };
  const notes = places.flatMap(({ rung, hunk, isAppended }) => [
    ...(isExact(rung) ? [] : [`hunk at line ${hunk.at} matched with different ${rung}`]),
    ...(isAppended ? [`hunk at line ${hunk.at} only adds lines and names no place: they were added at the end`] : []),
  ]);
  const isShown = places.every(({ hunk, rung }) => isExact(rung) && oldLines(hunk).some((line) => line.trim() !== ""));
  return { ok: true, value: { ...rebuilt(sheet, places, edits), notes, isShown } };
}

interface Edits {
  /** Line index → the hunk that removes it. */
  readonly removed: ReadonlyMap<number, Hunk>;
  /** Line index → the lines inserted before it. */
  readonly added: ReadonlyMap<number, { readonly lines: readonly string[] }>;
}

/** Hunks may share context, but a line that one removes must not appear in another. */
function mergedEdits(sheet: Sheet, places: readonly HunkPlace[], path: string): Edits | ErrorInfo {
  const removed = new Map<number, Hunk>();
  const kept = new Map<number, Hunk>();
  const added = new Map<number, { hunk: Hunk; lines: string[] }>();
  const hasCr = places.some(({ hunk }) => hunk.lines.some(({ text }) => text.endsWith("\r")));
  for (const place of places) {
    const { hunk } = place;
    const endings = endingsFor(sheet, place, hasCr);
    const fresh = addedBy(place);
    let at = place.first;
    let next = 0;
    for (const [index, { sign }] of hunk.lines.entries()) {
      if (sign === "+") {
        const line = withEnding(fresh[next++] ?? "", endings, index);
        const there = added.get(at) ?? { hunk, lines: [] };
        if (there.hunk !== hunk) return overlap(there.hunk, hunk, path);
        there.lines.push(line);
        added.set(at, there);
        continue;
      }
      const other = removed.get(at) ?? (sign === "-" ? kept.get(at) : undefined);
      if (other !== undefined) return overlap(other, hunk, path);
      (sign === "-" ? removed : kept).set(at, hunk);
      at++;
    }
  }
  return { removed, added };
}

/** The added lines with the file's own characters and indentation. */
function addedBy(place: HunkPlace): readonly string[] {
  const { hunk } = place;
  const fresh = hunk.lines.flatMap(({ sign, text }) => (sign === "+" ? [text] : []));
  const old = oldLines(hunk).map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return asInFile(place, old, fresh, runsOf(hunk))[1];
}

function runsOf({ lines }: Hunk): readonly Run[] {
  const runs: { fresh: string[]; near: string[] }[] = [];
  const starts = lines.flatMap(({ sign }, at) => (sign === "+" && lines[at - 1]?.sign !== "+" ? [at] : []));
  for (const start of starts) {
    const stop = lines.findIndex(({ sign }, at) => at > start && sign !== "+");
    const fresh = lines.slice(start, stop === -1 ? lines.length : stop);
    const gone = lines.slice(lines.findLastIndex(({ sign }, at) => at < start && sign !== "-") + 1, start);
    const between = [
      ...lines
        .slice(0, start)
        .filter(({ text }) => text.trim() !== "")
        .slice(-1),
      ...(stop === -1 ? [] : lines.slice(stop, stop + 1)),
    ];
    const near = gone.length > 0 ? gone.slice(0, 1) : between;
    runs.push({ fresh: fresh.map(({ text }) => text), near: near.map(({ text }) => text) });
  }
  return runs;
}

/** `null` = as written in the patch; else one ending per line of the hunk. */
type Endings = readonly string[] | null;

/**
 * If the old lines of a patch match the file including their endings, its new lines are literal. Otherwise a new line takes the ending
 * of the line it replaces, or of the one before it.
 */
function endingsFor(sheet: Sheet, { hunk, first }: HunkPlace, hasCr: boolean): Endings {
  const old = oldLines(hunk);
  const whole = sheet.hasFinalBreak ? sheet.lines.length : sheet.lines.length - 1;
  const shown = old.slice(0, Math.max(0, whole - first));
  const isLiteral = shown.length > 0 ? shown.every((line, index) => `${line}\n` === sheet.lines[first + index]) : hasCr;
  if (isLiteral) return null;
  const near = endingOf(sheet.lines[first - 1] ?? sheet.lines[first] ?? "\n");
  let at = first;
  let last = near;
  /** Removed lines that no new line has replaced yet. */
  let open = { from: at, to: at };
  return hunk.lines.map(({ sign }) => {
    if (sign === "+") {
      if (open.from < open.to) last = endingOf(sheet.lines[open.from++] ?? near);
      return last;
    }
    last = endingOf(sheet.lines[at++] ?? near);
    open = { from: sign === "-" ? open.from : at, to: at };
    return "";
  });
}

function withEnding(text: string, endings: Endings, index: number): string {
  if (endings === null) return `${text}\n`;
  return (text.endsWith("\r") ? text.slice(0, -1) : text) + (endings[index] ?? "\n");
}

function endingOf(line: string): string {
  return line.endsWith("\r\n") ? "\r\n" : "\n";
}

function rebuilt(
  sheet: Sheet,
  places: readonly HunkPlace[],
  { removed, added }: Edits,
): Omit<PatchedText, "notes" | "isShown"> {
  const out: string[] = [];
  let count = 0;
  for (let at = 0; at <= sheet.lines.length; at++) {
    for (const line of added.get(at)?.lines ?? []) {
      out.push(line);
      count++;
    }
    if (at < sheet.lines.length && !removed.has(at)) out.push(sheet.lines[at] ?? "");
  }
  const last = out.pop();
  if (last !== undefined) out.push(endsInBreak(sheet, places) ? last : last.replace(/\r?\n$/, ""));
  return { text: out.join(""), added: count, removed: removed.size };
}

/** The file's own final break, unless the patch marks a change. */
function endsInBreak({ hasFinalBreak }: Sheet, places: readonly HunkPlace[]): boolean {
  const marked = places.find(({ hunk }) => hunk.oldLacksBreak !== hunk.newLacksBreak);
  return marked === undefined ? hasFinalBreak : !marked.hunk.newLacksBreak;
}

function unplaced(sheet: Sheet, { hunk, candidates }: NoPlace, path: string, budget: Budget): ErrorInfo {
  const args = { path, line: hunk.at };
  const old = oldLines(hunk);
  if (candidates.length > 0) {
    const shown = candidates
      .slice(0, shownPlaces)
      .map((line) => shownLine(sheet.text, sheet.starts[line] ?? 0, line + 1));
    const list = [...shown, ...(candidates.length > shownPlaces ? ["…"] : [])].join("\n");
    const text = phrase("patch.many_places", { ...args, count: candidates.length, candidates: list });
    return fail("E_INVALID_ARGS", text, { advice: phrase("advice.patch_context") }).error;
  }
  if (old.length === 0) {
    return fail("E_INVALID_ARGS", phrase("patch.no_place", args), { advice: phrase("advice.patch_context") }).error;
  }
  const nearest = budget.left-- > 0 ? nearestText(sheet.text.slice(0, -1), old.join("\n")) : "";
  const text =
    nearest === "" ? phrase("patch.no_match", args) : phrase("patch.no_match_near", { ...args, candidates: nearest });
  return fail("E_CONFLICT", text, { advice: phrase("advice.patch_copy") }).error;
}

const shownPlaces = 5;

function overlap(one: Hunk, other: Hunk, path: string): ErrorInfo {
  const args = { path, line: one.at, other: other.at };
  return fail("E_INVALID_ARGS", phrase("patch.overlap", args), { advice: phrase("advice.patch_context") }).error;
}
