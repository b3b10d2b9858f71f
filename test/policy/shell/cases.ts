const { CASES, SEED, CODER_TEST_LONG } = process.env;

/** How many cases a property has. CASES and SEED make a run short and repeatable. */
export const runs = Number(CASES ?? (CODER_TEST_LONG === "1" ? 40_000 : 5_000));

export function cases(numRuns = runs): { readonly numRuns: number; readonly seed?: number } {
  return SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) };
}
