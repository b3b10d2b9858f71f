/** How the file's lines are indented, seen from those of `old_string`. */
export type Shift =
  /** They have this more at their start, or this less. */
  | { readonly add: string }
  | { readonly cut: string }
  /** A tab where the other text has so many spaces, or so many spaces where it has a tab. */
  | { readonly tabs: number }
  | { readonly spaces: number };

/** A line with the indentation that the old ones have in the file. */
export function shifted(line: string, shift: Shift | undefined): string {
  if (shift === undefined || line.trim() === "") return line;
  if ("add" in shift) return shift.add + line;
  if ("cut" in shift) return line.slice(sameStart(line, shift.cut));
  const indent = /^[\t ]*/.exec(line)?.[0] ?? "";
  const rest = line.slice(indent.length);
  if ("tabs" in shift) {
    // What has tabs already is written as the file is.
    if (indent.includes("\t")) return line;
    return "\t".repeat(Math.floor(indent.length / shift.tabs)) + " ".repeat(indent.length % shift.tabs) + rest;
  }
  return indent.replaceAll("\t", " ".repeat(shift.spaces)) + rest;
}

type Lines = readonly string[];

/** New lines that stand together, and the old ones that they replace or else stand between. */
export interface Run {
  readonly fresh: Lines;
  readonly near: Lines;
}

/**
 * Whether new lines carry the file's indentation already, though the old ones do not. Where they begin may rule one of the
 * two out; else lines that are in both decide; else how deep each run begins, beside what stands near; else how many lines
 * stand as deep as others do.
 */
export function isShiftedAlready(old: Lines, runs: readonly Run[], shift: Shift): boolean {
  if (!("add" in shift || "cut" in shift)) return false;
  const [before, after] = [old.filter(isFull), runs.flatMap(({ fresh }) => fresh).filter(isFull)];
  const firsts = runs.flatMap(({ fresh }) => fresh.find(isFull) ?? []);
  if (after.length === 0 || ("add" in shift && !firsts.every((line) => line.startsWith(shift.add)))) return false;
  const inFile = (lines: Lines): Lines => lines.map((line) => shifted(line, shift));
  const begins = runs.map(({ fresh, near }) => beginsAt(fresh, inFile(near)) - beginsAt(fresh, near));
  // What begins further out than all of the old lines, where they stand in the file, is not written beside them.
  const isOut = firsts.every((line) => before.every((one) => depthOf(one) > depthOf(line)));
  if ("cut" in shift && isOut && begins.every((one) => one > 0)) return true;
  const votes = after
    .filter(hasWords)
    .reduce((sum, line) => sum + Number(isIn(inFile(before), line)) - Number(isIn(before, line)), 0);
  if (votes !== 0) return votes > 0;
  // What is too deep everywhere is as deep in the new lines, unless they show that it is not.
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

/** The same line at the same depth. */
function isIn(lines: Lines, line: string): boolean {
  return lines.some((one) => one.trimEnd() === line.trimEnd());
}

const opensBlock = /(?:[:{([]|\b(?:do|then|else|begin))$/;

/** Where lines stand, and where one may that follows a line which opens a block. */
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

/** A lone bracket is like many others. */
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
