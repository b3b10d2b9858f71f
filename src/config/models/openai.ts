import { able, type CatalogueRow, fromMinimal, K, type Source, toHigh, toMax, toXhigh } from "./row.ts";

const openai = (page: string, date: string): Source => [`https://developers.openai.com/api/docs/${page}`, date];

const gpt = { window: 1_050_000, output: 128 * K, ...able } as const;
const gpt5 = { window: 400 * K, output: 128 * K, ...able } as const;

export const openaiRows = (): readonly CatalogueRow[] => [
  {
    ref: "openai/gpt-6-astra",
    ...gpt,
    price: [10, 50, 1],
    long: { over: 272 * K, price: [20, 75, 2] },
    effort: toMax,
    source: openai("models/gpt-6-astra", "2026-10-12"),
  },
  {
    ref: "openai/gpt-6-sol",
    ...gpt,
    price: [2, 10, 0.2],
    long: { over: 272 * K, price: [4, 15, 0.4] },
    effort: toMax,
    source: openai("pricing", "2026-09-24"),
  },
  {
    ref: "openai/gpt-6-luna",
    ...gpt,
    price: [0.1, 0.5, 0.01],
    long: { over: 272 * K, price: [0.2, 0.75, 0.02] },
    effort: toMax,
    source: openai("pricing", "2026-09-24"),
  },
  // The price changed in 2026, and sources disagree.
  { ref: "openai/gpt-5.6*", ...gpt, effort: toMax, source: openai("models/gpt-5.6-sol", "2026-07-09") },
  {
    ref: "openai/gpt-5.5",
    ...gpt,
    price: [5, 30, 0.5],
    long: { over: 272 * K, price: [10, 45, 1] },
    effort: toXhigh,
    source: openai("pricing", "2026-05-26"),
  },
  // The price of long requests is uncertain.
  { ref: "openai/gpt-5.4", ...gpt, effort: toXhigh, source: openai("models/gpt-5.4", "2026-03-05") },
  {
    ref: "openai/gpt-5.4-mini",
    ...gpt5,
    price: [0.75, 4.5, 0.075],
    effort: toXhigh,
    source: openai("pricing", "2026-03-31"),
  },
  {
    ref: "openai/gpt-5.3-codex",
    ...gpt5,
    price: [1.75, 14, 0.175],
    effort: toXhigh,
    source: openai("models/gpt-5.3-codex", "2026-02-05"),
  },
  {
    ref: "openai/gpt-5.2",
    ...gpt5,
    price: [1.75, 14, 0.175],
    effort: toXhigh,
    source: openai("models/gpt-5.2", "2025-12-11"),
  },
  {
    ref: "openai/gpt-5.1",
    ...gpt5,
    price: [1.25, 10, 0.125],
    effort: toHigh,
    source: openai("pricing", "2026-05-26"),
  },
  {
    ref: "openai/gpt-5",
    ...gpt5,
    price: [1.25, 10, 0.125],
    effort: fromMinimal,
    source: openai("pricing", "2026-05-26"),
  },
  {
    ref: "openai/gpt-5-mini",
    ...gpt5,
    price: [0.25, 2, 0.025],
    effort: fromMinimal,
    source: openai("pricing", "2026-05-26"),
  },
  {
    ref: "openai/gpt-5-nano",
    ...gpt5,
    price: [0.05, 0.4, 0.005],
    effort: fromMinimal,
    source: openai("pricing", "2026-05-26"),
  },
  { ref: "openai/gpt-5*", ...gpt5, effort: toHigh, source: openai("models", "2026-05-26") },
  { ref: "openai/gpt-6*", ...gpt, effort: toHigh, source: openai("models", "2026-10-12") },
  {
    ref: "openai/o3",
    window: 200 * K,
    output: 100 * K,
    ...able,
    price: [2, 8, 0.5],
    effort: toHigh,
    source: openai("models/o3", "2026-05-26"),
  },
  {
    ref: "openai/o4-mini",
    window: 200 * K,
    output: 100 * K,
    ...able,
    price: [1.1, 4.4, 0.275],
    effort: toHigh,
    source: openai("models/o4-mini", "2026-05-26"),
  },
];
