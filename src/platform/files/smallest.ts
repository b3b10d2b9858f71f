export interface Smallest<T> {
  readonly add: (item: T) => void;
  readonly take: () => readonly T[];
  readonly total: () => number;
}

/** Keeps the first `max` of any number of items. */
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

/** The order of ripgrep: name by name, each by its UTF-8 bytes. */
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
  // Surrogates stand for characters after all others.
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
