export interface Smallest<T> {
  readonly add: (item: T) => void;
  /** The first ones, in order. */
  readonly take: () => readonly T[];
  /** How many were added. */
  readonly total: () => number;
}

/** The first `max` of any number of items, without keeping the rest. */
export function smallest<T>(max: number, compare: (a: T, b: T) => number): Smallest<T> {
  let kept: T[] = [];
  let bound: T | undefined;
  let total = 0;
  const cut = (): void => {
    kept = kept.sort(compare).slice(0, max);
    if (kept.length === max) bound = kept.at(-1);
  };
  return {
    add: (item) => {
      total++;
      if (bound !== undefined && compare(item, bound) > 0) return;
      kept.push(item);
      if (kept.length > max * 4) cut();
    },
    take: () => {
      cut();
      return kept;
    },
    total: () => total,
  };
}

/** The order in which ripgrep sorts: name by name, each by its bytes in UTF-8. */
export function byPath(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

function rank(unit: number): number {
  if (unit === 0x2f) return -1;
  if (unit < 0xd800) return unit;
  // Halves of pairs stand for characters behind all others.
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
