// A plain maker of unified diffs, independent of the code under test.

export interface DiffWish {
  /** Lines of context around a change. */
  readonly context: number;
  /** `wrong`: line counts as a model would guess them. `none`: no numbers at all. */
  readonly counts: "right" | "wrong" | "none";
}

interface Op {
  readonly sign: " " | "-" | "+";
  /** With its line break, if it has one. */
  readonly line: string;
}

export const splitLines = (text: string): readonly string[] => (text === "" ? [] : text.split(/(?<=\n)/));

/** The longest common lines stay; in each gap removals come before additions. */
function opsOf(old: readonly string[], fresh: readonly string[]): readonly Op[] {
  const best = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = fresh.length - 1; b >= 0; b--) {
      best[a]![b] =
        old[a] === fresh[b] ? best[a + 1]![b + 1]! + 1 : Math.max(best[a + 1]![b] ?? 0, best[a]![b + 1] ?? 0);
    }
  }
  const ops: Op[] = [];
  for (let a = 0, b = 0; a < old.length || b < fresh.length; ) {
    if (a < old.length && b < fresh.length && old[a] === fresh[b]) {
      ops.push({ sign: " ", line: old[a++]! });
      b++;
    } else if (b >= fresh.length || (a < old.length && best[a + 1]![b]! >= best[a]![b + 1]!)) {
      ops.push({ sign: "-", line: old[a++]! });
    } else ops.push({ sign: "+", line: fresh[b++]! });
  }
  return ops;
}

/** Runs of operations with their context, as index ranges. */
function rangesOf(ops: readonly Op[], context: number): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const [index, { sign }] of ops.entries()) {
    if (sign === " ") continue;
    const [from, to] = [Math.max(0, index - context), Math.min(ops.length, index + context + 1)];
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
}

const shownLine = ({ sign, line }: Op): string =>
  line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;

/** The hunks that lead from one text to the other; empty when they are the same. */
export function hunksOf(old: string, fresh: string, { context, counts }: DiffWish): string {
  const ops = opsOf(splitLines(old), splitLines(fresh));
  return rangesOf(ops, context)
    .map(([from, to]) => {
      const body = ops.slice(from, to);
      const count = (sign: "-" | "+", list: readonly Op[]): number =>
        list.filter((op) => op.sign === " " || op.sign === sign).length;
      const [olds, news] = [count("-", body), count("+", body)];
      const start = (sign: "-" | "+", length: number): number =>
        count(sign, ops.slice(0, from)) + (length === 0 ? 0 : 1);
      const off = counts === "wrong" && olds > 0 ? 3 : 0;
      const numbers = `-${start("-", olds)},${olds + off} +${start("+", news)},${news + off}`;
      return `@@ ${counts === "none" ? "@@" : `${numbers} @@`}\n${body.map(shownLine).join("")}`;
    })
    .join("");
}

export function diffOf(name: string, old: string, fresh: string, wish: DiffWish): string {
  return `--- a/${name}\n+++ b/${name}\n${hunksOf(old, fresh, wish)}`;
}
