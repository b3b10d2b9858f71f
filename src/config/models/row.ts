import type { Effort } from "../../contract/settings.ts";

/** In US dollars per million tokens. Without `cached`, cached input costs the same as other input. */
type Dollars = readonly [input: number, output: number, cached?: number];

/** The source page, and the latest date on which it was checked. */
export type Source = readonly [page: string, date: string];

export interface CatalogueRow {
  /** `provider/name`, or a family if it ends in `*`. */
  readonly ref: string;
  /** Also matches longer names, such as dated versions. */
  readonly begins?: true;
  readonly window: number;
  readonly output?: number;
  /** Missing if sources disagree or are silent. */
  readonly price?: Dollars;
  readonly long?: { readonly over: number; readonly price: Dollars };
  /** The accepted levels; `budget`: a number of tokens instead. */
  readonly effort?: readonly Effort[] | "budget";
  readonly images: boolean;
  readonly tools: boolean;
  readonly source: Source;
}

export type Columns = Omit<CatalogueRow, "ref" | "source">;

export const able = { images: true, tools: true } as const;
export const textOnly = { images: false, tools: true } as const;
export const M = 1_000_000;
export const K = 1_000;

export const toMax: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];
export const toXhigh: readonly Effort[] = ["low", "medium", "high", "xhigh"];
export const toHigh: readonly Effort[] = ["low", "medium", "high"];
export const fromMinimal: readonly Effort[] = ["minimal", "low", "medium", "high"];
