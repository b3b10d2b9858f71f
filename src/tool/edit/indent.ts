/** How indentation in the file differs from that of `old_string`. */
export type Shift =
  /** The file's lines have this prefix in addition (`add`), or lack it (`cut`). */
  | { readonly add: string }
  | { readonly cut: string }
  /** The file uses a tab for this many spaces (`tabs`), or this many spaces for a tab (`spaces`). */
  | { readonly tabs: number }
  | { readonly spaces: number };

export function shifted(line: string, shift: Shift | undefined): string {
  if (shift === undefined || line.trim() === "") return line;
  if ("add" in shift) return shift.add + line;
  if ("cut" in shift) return line.slice(sameStart(line, shift.cut));
  const indent = /^[\t ]*/.exec(line)?.[0] ?? "";
  const rest = line.slice(indent.length);
  if ("tabs" in shift) {
    // A line with tabs already follows the file's style.
    if (indent.includes("\t")) return line;
    return "\t".repeat(Math.floor(indent.length / shift.tabs)) + " ".repeat(indent.length % shift.tabs) + rest;
  }
  return indent.replaceAll("\t", " ".repeat(shift.spaces)) + rest;
}

type Lines = readonly string[];

/** A block of consecutive new lines, and the old lines that it replaces or sits next to. */
export interface Run {
  readonly fresh: Lines;
  readonly near: Lines;
}

/**
 * Whether the new lines already have the file's indentation although the old ones do not. Tried in order: where the new lines begin may
 * rule one answer out; lines present in both texts vote; then the depth at which each run begins compared with nearby lines; then how
 * many lines match the depth of others.
 */
export function isShiftedAlready(old: Lines, runs: readonly Run[], shift: Shift): boolean {
  if (!("add" in shift || "cut" in shift)) return false;
  const [before, after] = [old.filter(isFull), runs.flatMap(({ fresh }) => fresh).filter(isFull)];
  const firsts = runs.flatMap(({ fresh }) => fresh.find(isFull) ?? []);
  if (after.length === 0 || ("add" in shift && !firsts.every((line) => line.startsWith(shift.add)))) return false;
  const inFile = (lines: Lines): Lines => lines.map((line) => shifted(line, shift));
  const begins = runs.map(({ fresh, near }) => beginsAt(fresh, inFile(near)) - beginsAt(fresh, near));
  // Lines that begin further out than every old line in the file were not written next to them.
  const isOut = firsts.every((line) => before.every((one) => depthOf(one) > depthOf(line)));
  if ("cut" in shift && isOut && begins.every((one) => one > 0)) return true;
  const votes = after
    .filter(hasWords)
    .reduce((sum, line) => sum + Number(isIn(inFile(before), line)) - Number(isIn(before, line)), 0);
  if (votes !== 0) return votes > 0;
  // If old_string is too deep everywhere, assume the same of the new lines unless they show otherwise.
  if ("cut" in shift) return !after.every((line) => line.startsWith(shift.cut));
  if (!after.every((line) => line.startsWith(shift.add))) return false;
  if (begins.some((one) => one !== 0)) return begins.every((one) => one >= 0);
  const unit = unitOf([...before, ...after]);
  const fits = (depths: ReadonlySet<number>): number => after.filter((line) => depths.has(depthOf(line))).length;
  return fits(depthsOf(inFile(before), unit)) > fits(depthsOf(before, unit));
}

function beginsAt(fresh: Lines, near: Lines): number {
  const first = fresh.find(isFull);
  return Number(first !== undefined && near.some((line) => isFull(line) && depthOf(line) === depthOf(first)));
}

function isIn(lines: Lines, line: string): boolean {
  return lines.some((one) => one.trimEnd() === line.trimEnd());
}

const opensBlock = /(?:[:{([]|\b(?:do|then|else|begin))$/;

/** Depths in use, plus one level below each line that opens a block. */
function depthsOf(lines: Lines, unit: number): ReadonlySet<number> {
  return new Set(
    lines.flatMap((line) => (opensBlock.test(line.trimEnd()) ? [depthOf(line), depthOf(line) + unit] : depthOf(line))),
  );
}

function unitOf(lines: Lines): number {
  const depths = [...new Set(lines.map(depthOf))].sort((one, other) => one - other);
  const steps = depths.flatMap((depth, at) => (at === 0 ? [] : [depth - (depths[at - 1] ?? 0)]));
  return Math.min(...steps, 8);
}

/** Lines of only brackets match too often to vote. */
function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

function isFull(line: string): boolean {
  return line.trim() !== "";
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

function sameStart(line: string, start: string): number {
  let count = 0;
  while (count < start.length && line[count] === start[count]) count++;
  return count;
}
