import type { Effort } from "../../contract/settings.ts";

/** US dollars for a million tokens: input, output, input from a cache (like any other where it is not known). */
type Dollars = readonly [input: number, output: number, cached?: number];

/** The page that says it, and the newest day for which it is known to say so. */
export type Source = readonly [page: string, date: string];

export interface CatalogueRow {
  /** `provider/name`; with a `*` at its end: what else begins so, and is no name by itself. */
  readonly ref: string;
  /** Also of names that go on behind it: with a date, a version, a variant. */
  readonly begins?: true;
  readonly window: number;
  /** Most tokens of one reply, where it is known. */
  readonly output?: number;
  /** Left out where the sources disagree or are silent. */
  readonly price?: Dollars;
  /** What a request costs as a whole whose input is longer. */
  readonly long?: { readonly over: number; readonly price: Dollars };
  /** Words it takes for how hard to think; `budget`: a number of tokens instead. */
  readonly effort?: readonly Effort[] | "budget";
  readonly images: boolean;
  readonly tools: boolean;
  readonly source: Source;
}

/** Most have both. */
export const able = { images: true, tools: true } as const;
export const textOnly = { images: false, tools: true } as const;
export const M = 1_000_000;
export const K = 1_000;

export const toMax: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];
export const toXhigh: readonly Effort[] = ["low", "medium", "high", "xhigh"];
export const toHigh: readonly Effort[] = ["low", "medium", "high"];
export const fromMinimal: readonly Effort[] = ["minimal", "low", "medium", "high"];
