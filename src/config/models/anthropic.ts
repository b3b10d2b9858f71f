import { able, type CatalogueRow, type Columns, K, M, toHigh, toMax } from "./row.ts";

const claude = (name: string, page: string, date: string, columns: Columns): CatalogueRow => ({
  ref: `anthropic/claude-${name}`,
  ...columns,
  source: [`https://platform.claude.com/docs/en/${page}`, date],
});

const big = { window: M, output: 128 * K, ...able } as const;
const bigs = { ...big, begins: true } as const;
const small = { window: 200 * K, output: 64 * K, ...able } as const;
const smalls = { ...small, begins: true } as const;
const toMaxButXhigh = ["low", "medium", "high", "max"] as const;

export const anthropicRows = (): readonly CatalogueRow[] => [
  claude("fable-5", "models/overview", "2026-10-03", { ...bigs, price: [10, 50, 1], effort: toMax }),
  claude("opus-5-5", "models/opus-5-5/overview", "2026-10-03", { ...bigs, price: [4, 20, 0.2], effort: toMax }),
  claude("opus-5", "models/opus-5/overview", "2026-10-03", { ...big, price: [5, 25, 0.5], effort: toMax }),
  claude("sonnet-5-5", "models/sonnet-5-5/overview", "2026-10-03", { ...bigs, price: [2, 10, 0.1], effort: toMax }),
  claude("sonnet-5", "models/sonnet-5/overview", "2026-10-03", { ...big, price: [2, 10, 0.2], effort: toMaxButXhigh }),
  claude("opus-4-8", "about-claude/pricing", "2026-05-28", { ...bigs, price: [5, 25, 0.5], effort: toMax }),
  // A larger window is limited to some accounts.
  claude("opus-4-7", "build-with-claude/effort", "2026-05-28", { ...smalls, effort: toMax }),
  claude("opus-4-6", "build-with-claude/effort", "2026-03-13", { ...smalls, effort: toMaxButXhigh }),
  claude("sonnet-4-6", "about-claude/pricing", "2026-03-13", {
    ...{ ...smalls, window: M },
    price: [3, 15, 0.3],
    effort: toHigh,
  }),
  claude("opus-4-5", "about-claude/pricing", "2025-11-24", { ...smalls, price: [5, 25, 0.5], effort: "budget" }),
  claude("sonnet-4-5", "about-claude/pricing", "2025-11-25", { ...smalls, price: [3, 15, 0.3], effort: "budget" }),
  claude("haiku-4-5", "models/overview", "2026-10-03", { ...smalls, price: [1, 5, 0.1], effort: "budget" }),
  // The minimum of all models so far.
  claude("*", "models/overview", "2026-10-03", small),
];
