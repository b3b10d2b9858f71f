// Which words of a changed line are new to it, or gone from it.

export interface Mark {
  readonly from: number;
  readonly to: number;
}

const word = /[\p{L}\p{N}\p{M}_]+|\s+|[\ud800-\udbff][\udc00-\udfff]|[\s\S]/gu;
/** Longer lines are compared from both ends only. */
const mostCells = 40_000;

/** The parts of `own` that `other` does not have; `null`: the lines have too little in common for that to say anything. */
export function changedWords(own: string, other: string): readonly Mark[] | null {
  const [a, b] = [own.match(word) ?? [], other.match(word) ?? []];
  let [start, end] = [0, 0];
  const most = Math.min(a.length, b.length);
  while (start < most && a[start] === b[start]) start++;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const kept = left.length * right.length > mostCells ? new Set<number>() : common(left, right);
  const marks: { from: number; to: number }[] = [];
  let [at, same] = [0, 0];
  for (const [index, one] of a.entries()) {
    const isSame = index < start || index >= a.length - end || kept.has(index - start);
    const last = marks.at(-1);
    if (isSame) same += one.length;
    // Words with nothing but a blank between them are one change.
    else if (last && own.slice(last.to, at).trim() === "") last.to = at + one.length;
    else marks.push({ from: at, to: at + one.length });
    at += one.length;
  }
  return same < Math.min(own.length, other.length) / 3 ? null : marks;
}

/** The places in `a` of a longest common part. */
function common(a: readonly string[], b: readonly string[]): ReadonlySet<number> {
  const columns = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * columns);
  const of = (x: number, y: number): number => longest[x * columns + y] ?? 0;
  for (let x = a.length - 1; x >= 0; x--)
    for (let y = b.length - 1; y >= 0; y--)
      longest[x * columns + y] = a[x] === b[y] ? of(x + 1, y + 1) + 1 : Math.max(of(x + 1, y), of(x, y + 1));
  const kept = new Set<number>();
  for (let [x, y] = [0, 0]; x < a.length && y < b.length; ) {
    if (a[x] === b[y]) {
      kept.add(x++);
      y++;
    } else if (of(x + 1, y) >= of(x, y + 1)) x++;
    else y++;
  }
  return kept;
}
