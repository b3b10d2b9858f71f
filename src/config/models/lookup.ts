import { type Effort, type EffortUse, efforts, type Price } from "../../contract/settings.ts";
import { catalogueRows } from "./data.ts";
import type { CatalogueRow } from "./row.ts";

let made: readonly CatalogueRow[] | null = null;
/** A cache, because every step looks up its model. */
const found = new Map<string, CatalogueRow | null>();
const mostFound = 1000;

/** Providers with catalogue rows; the same name elsewhere may be a different model. */
const listed: readonly string[] = [
  ...["anthropic", "openai", "google", "deepseek", "xai", "moonshot", "zhipu", "qwen", "dashscope", "mistral", "groq"],
];
const isListed = (provider: string): boolean => listed.includes(provider);

/** The row of the exact reference, or of the longest matching family; `null` = unknown. */
export function catalogued(ref: string): CatalogueRow | null {
  const known = found.get(ref);
  if (known !== undefined) return known;
  const row = isListed(providerOf(ref)) ? rowFor(ref) : throughGateway(ref);
  if (found.size >= mostFound) found.clear();
  found.set(ref, row);
  return row;
}

export function cataloguedRefs(): readonly string[] {
  return rows()
    .map(({ ref }) => ref)
    .filter((ref) => !ref.endsWith("*"));
}

function rows(): readonly CatalogueRow[] {
  made ??= catalogueRows();
  return made;
}

function rowFor(ref: string): CatalogueRow | null {
  const name = ref.toLowerCase();
  const exact = rows().find((row) => row.ref === name);
  if (exact) return exact;
  const families = rows().filter((row) => (row.begins || row.ref.endsWith("*")) && name.startsWith(beginning(row)));
  return families.toSorted((one, other) => beginning(other).length - beginning(one).length)[0] ?? null;
}

function beginning({ ref }: CatalogueRow): string {
  return ref.replace(/\*$/, "");
}

/** `openrouter/anthropic/claude-…` is that model, but at the gateway's own price. */
function throughGateway(ref: string): CatalogueRow | null {
  const inner = ref.startsWith("openrouter/") ? ref.slice("openrouter/".length).replace(/:\w+$/, "") : "";
  if (!isListed(providerOf(inner))) return null;
  // The gateway writes claude-opus-4.5 with a dot.
  const row = rowFor(inner.startsWith("anthropic/") ? inner.replaceAll(".", "-") : inner);
  if (row === null) return null;
  const { price: _, long: __, ...rest } = row;
  return { ...rest, ...(row.effort === "budget" ? { effort: ["low", "medium", "high"] as const } : {}) };
}

function providerOf(ref: string): string {
  return ref.slice(0, Math.max(0, ref.indexOf("/")));
}

export function priceIn({ price, long }: Pick<CatalogueRow, "price" | "long">): Price | undefined {
  if (price === undefined) return undefined;
  return long === undefined ? toPrice(price) : { ...toPrice(price), long: { over: long.over, ...toPrice(long.price) } };
}

export function toPrice([input, output, cached = input]: NonNullable<CatalogueRow["price"]>): Price {
  return { input: microDollars(input), cachedInput: microDollars(cached), output: microDollars(output) };
}

export function microDollars(dollars: number): number {
  return Math.round(dollars * 1_000_000);
}

/** The nearest supported level; the lower one of two. */
export function effortFor(wanted: Effort, takes: NonNullable<CatalogueRow["effort"]>): EffortUse {
  if (takes === "budget") return { level: wanted, by: "budget" };
  const distance = (level: Effort): number => Math.abs(efforts.indexOf(level) - efforts.indexOf(wanted));
  const [level = wanted] = takes.toSorted((one, other) => distance(one) - distance(other));
  return { level, by: "level" };
}
