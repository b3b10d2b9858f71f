import { diffArrays } from "diff";

/** Longer than a user would wait for one file among many. */
const patienceMs = 200;
/** A binary file has lines too, but merging them would be nonsense. */
const sniffedBytes = 8_000;

interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** A three-way merge by lines; `null`: both sides touched the same lines, or it takes too long. Keeps the bytes of any encoding with LF. */
export function mergeBytes(base: Uint8Array, mine: Uint8Array, theirs: Uint8Array): Uint8Array | null {
  const [b, m, t] = [Buffer.from(base), Buffer.from(mine), Buffer.from(theirs)];
  if (m.equals(t) || b.equals(t)) return mine;
  if (b.equals(m)) return theirs;
  if ([b, m, t].some((side) => side.subarray(0, sniffedBytes).includes(0))) return null;
  const lines = linesOf(b);
  const ours = hunksOf(lines, linesOf(m));
  const others = ours && hunksOf(lines, linesOf(t));
  const merged = ours && others && merge(lines, ours, others);
  return merged ? Buffer.from(merged.join(""), "latin1") : null;
}

/** Each line with its end, so that a last line without one differs. Latin-1, one character per byte. */
function linesOf(bytes: Buffer): readonly string[] {
  const text = bytes.toString("latin1");
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunksOf(base: readonly string[], side: readonly string[]): readonly Hunk[] | null {
  const parts = diffArrays([...base], [...side], { timeout: patienceMs });
  if (parts === undefined) return null;
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; lines: string[] } | null = null;
  const close = (): void => {
    if (open) hunks.push({ from: open.from, to: at, lines: open.lines });
    open = null;
  };
  for (const { added, removed, value } of parts) {
    if (!added && !removed) close();
    else open ??= { from: at, lines: [] };
    if (!added) at += value.length;
    else for (const line of value) open?.lines.push(line);
  }
  close();
  return hunks;
}

/** Adjacent hunks conflict, as in git: their order is unknown. */
function merge(base: readonly string[], ours: readonly Hunk[], others: readonly Hunk[]): readonly string[] | null {
  const merged: string[] = [];
  const [left, right] = [[...ours], [...others]];
  let at = 0;
  for (;;) {
    const [a, b] = [left[0], right[0]];
    if (a === undefined && b === undefined) break;
    const isSame = a !== undefined && b !== undefined && isEqual(a, b);
    if (a && b && !isSame && a.from <= b.to && b.from <= a.to) return null;
    const next = b === undefined || (a !== undefined && a.from <= b.from) ? a : b;
    if (next === undefined) break;
    for (const line of base.slice(at, next.from)) merged.push(line);
    for (const line of next.lines) merged.push(line);
    at = next.to;
    if (isSame || next === a) left.shift();
    if (isSame || next === b) right.shift();
  }
  for (const line of base.slice(at)) merged.push(line);
  return isJoined(merged) ? merged : null;
}

function isEqual(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join("") === b.lines.join("");
}

/** An unterminated line in the middle would merge with the next one. */
function isJoined(lines: readonly string[]): boolean {
  return lines.every((line, index) => index === lines.length - 1 || line.endsWith("\n"));
}
