import { able, type CatalogueRow, fromMinimal, K, type Source, toHigh } from "./row.ts";

const gemini = (date: string): Source => ["https://ai.google.dev/gemini-api/docs/pricing", date];

const long = { window: 1_048_576, output: 65_536, ...able } as const;

export const googleRows = (): readonly CatalogueRow[] => [
  // The price from 2027 on; until then it is half, so a budget may be reached early.
  {
    ref: "google/gemini-3.8-flash",
    begins: true,
    ...long,
    price: [1.5, 7.5, 0.15],
    effort: toHigh,
    source: ["https://ai.google.dev/gemini-api/docs/pricing#gemini-3.8-flash", "2026-10-07"],
  },
  {
    ref: "google/gemini-3.5-flash",
    begins: true,
    ...long,
    price: [1.5, 9, 0.15],
    effort: toHigh,
    source: gemini("2026-05-19"),
  },
  {
    ref: "google/gemini-3.1-flash-lite",
    begins: true,
    ...long,
    price: [0.25, 1.5, 0.025],
    effort: fromMinimal,
    source: gemini("2026-05-07"),
  },
  {
    ref: "google/gemini-3.1-pro-preview",
    begins: true,
    ...long,
    price: [2, 12, 0.2],
    long: { over: 200 * K, price: [4, 18, 0.4] },
    effort: toHigh,
    source: gemini("2026-02-19"),
  },
  { ref: "google/gemini-3*", ...long, effort: ["low", "high"], source: gemini("2026-05-19") },
  {
    ref: "google/gemini-2.5-pro",
    begins: true,
    ...long,
    price: [1.25, 10, 0.125],
    long: { over: 200 * K, price: [2.5, 15, 0.25] },
    effort: "budget",
    source: gemini("2026-05-19"),
  },
  { ref: "google/gemini-2.5-flash", ...long, price: [0.3, 2.5, 0.03], effort: "budget", source: gemini("2026-05-19") },
  { ref: "google/gemini-2.5*", ...long, effort: "budget", source: gemini("2026-05-19") },
];
