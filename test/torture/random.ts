// Numbers that a seed repeats.

export interface Random {
  /** A whole number from `low` to `high`, both possible. */
  readonly between: (low: number, high: number) => number;
  readonly oneOf: <T>(list: readonly T[]) => T;
}

/** The same words give the same numbers: a case is repeated by its name and the run's seed. */
export function randomFor(...words: readonly (string | number)[]): Random {
  let state = Number(BigInt(Bun.hash(words.join("\n"))) & 0xffffffffn);
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    oneOf: (list) => {
      const one = list[between(0, list.length - 1)];
      if (one === undefined) throw new Error("nothing to choose from");
      return one;
    },
  };
}
