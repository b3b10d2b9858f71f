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

/**
 * Whether new lines carry the file's indentation already, though the old ones do not. Lines that are in both decide;
 * else the first line does, which usually takes the place of the first that is replaced.
 */
export function isShiftedAlready(old: Lines, fresh: Lines, shift: Shift, replaced: Lines): boolean {
  if (!("add" in shift || "cut" in shift)) return false;
  const [before, after] = [old.filter(isFull), fresh.filter(isFull)];
  if ("add" in shift && !after.every((line) => line.startsWith(shift.add))) return false;
  const votes = after.reduce((sum, line) => {
    const same = before.filter((one) => one.trim() === line.trim());
    if (same.length === 0) return sum;
    const isOld = same.some((one) => indentOf(one) === indentOf(line));
    const isFile = same.some((one) => indentOf(shifted(one, shift)) === indentOf(line));
    return sum + Number(isFile) - Number(isOld);
  }, 0);
  if (votes !== 0) return votes > 0;
  const [first, firstNew] = [replaced.find(isFull), after[0]];
  if (first === undefined || firstNew === undefined) return false;
  return indentOf(firstNew) !== indentOf(first) && indentOf(firstNew) === indentOf(shifted(first, shift));
}

function isFull(line: string): boolean {
  return line.trim() !== "";
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function sameStart(line: string, start: string): number {
  let count = 0;
  while (count < start.length && line[count] === start[count]) count++;
  return count;
}
