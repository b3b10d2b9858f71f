import { able, type CatalogueRow, type Columns, fromMinimal, K, toHigh, toMax, toXhigh } from "./row.ts";

const openai = (name: string, page: string, date: string, columns: Columns): CatalogueRow => ({
  ref: `openai/${name}`,
  ...columns,
  source: [`https://developers.openai.com/api/docs/${page}`, date],
});

const gpt = { window: 1_050_000, output: 128 * K, ...able } as const;
const gpt5 = { window: 400 * K, output: 128 * K, ...able } as const;
const o = { window: 200 * K, output: 100 * K, ...able } as const;
const over = 272 * K;

export const openaiRows = (): readonly CatalogueRow[] => [
  openai("gpt-6-astra", "models/gpt-6-astra", "2026-10-12", {
    ...{ ...gpt, effort: toMax },
    price: [10, 50, 1],
    long: { over, price: [20, 75, 2] },
  }),
  openai("gpt-6-sol", "pricing", "2026-09-24", {
    ...{ ...gpt, effort: toMax },
    price: [2, 10, 0.2],
    long: { over, price: [4, 15, 0.4] },
  }),
  openai("gpt-6-luna", "pricing", "2026-09-24", {
    ...{ ...gpt, effort: toMax },
    price: [0.1, 0.5, 0.01],
    long: { over, price: [0.2, 0.75, 0.02] },
  }),
  // The price changed in 2026, and sources disagree.
  openai("gpt-5.6*", "models/gpt-5.6-sol", "2026-07-09", { ...gpt, effort: toMax }),
  openai("gpt-5.5", "pricing", "2026-05-26", {
    ...{ ...gpt, effort: toXhigh },
    price: [5, 30, 0.5],
    long: { over, price: [10, 45, 1] },
  }),
  // The price of long requests is uncertain.
  openai("gpt-5.4", "models/gpt-5.4", "2026-03-05", { ...gpt, effort: toXhigh }),
  openai("gpt-5.4-mini", "pricing", "2026-03-31", { ...gpt5, price: [0.75, 4.5, 0.075], effort: toXhigh }),
  openai("gpt-5.3-codex", "models/gpt-5.3-codex", "2026-02-05", { ...gpt5, price: [1.75, 14, 0.175], effort: toXhigh }),
  openai("gpt-5.2", "models/gpt-5.2", "2025-12-11", { ...gpt5, price: [1.75, 14, 0.175], effort: toXhigh }),
  openai("gpt-5.1", "pricing", "2026-05-26", { ...gpt5, price: [1.25, 10, 0.125], effort: toHigh }),
  openai("gpt-5", "pricing", "2026-05-26", { ...gpt5, price: [1.25, 10, 0.125], effort: fromMinimal }),
  openai("gpt-5-mini", "pricing", "2026-05-26", { ...gpt5, price: [0.25, 2, 0.025], effort: fromMinimal }),
  openai("gpt-5-nano", "pricing", "2026-05-26", { ...gpt5, price: [0.05, 0.4, 0.005], effort: fromMinimal }),
  openai("gpt-5*", "models", "2026-05-26", { ...gpt5, effort: toHigh }),
  openai("gpt-6*", "models", "2026-10-12", { ...gpt, effort: toHigh }),
  openai("o3", "models/o3", "2026-05-26", { ...o, price: [2, 8, 0.5], effort: toHigh }),
  openai("o4-mini", "models/o4-mini", "2026-05-26", { ...o, price: [1.1, 4.4, 0.275], effort: toHigh }),
];
