import { able, type CatalogueRow, type Columns, fromMinimal, K, toHigh } from "./row.ts";

const gemini = (name: string, date: string, columns: Omit<Columns, "window" | "images" | "tools">): CatalogueRow => ({
  ref: `google/gemini-${name}`,
  ...{ window: 1_048_576, output: 65_536, ...able },
  ...columns,
  source: ["https://ai.google.dev/gemini-api/docs/pricing", date],
});

const begins = true;
const over = 200 * K;

export const googleRows = (): readonly CatalogueRow[] => [
  // The price from 2027 on; until then it is half, so a budget may be reached early.
  {
    ...gemini("3.8-flash", "2026-10-07", { begins, price: [1.5, 7.5, 0.15], effort: toHigh }),
    source: ["https://ai.google.dev/gemini-api/docs/pricing#gemini-3.8-flash", "2026-10-07"],
  },
  gemini("3.5-flash", "2026-05-19", { begins, price: [1.5, 9, 0.15], effort: toHigh }),
  gemini("3.1-flash-lite", "2026-05-07", { begins, price: [0.25, 1.5, 0.025], effort: fromMinimal }),
  gemini("3.1-pro-preview", "2026-02-19", {
    ...{ begins, effort: toHigh },
    price: [2, 12, 0.2],
    long: { over, price: [4, 18, 0.4] },
  }),
  gemini("3*", "2026-05-19", { effort: ["low", "high"] }),
  gemini("2.5-pro", "2026-05-19", {
    ...{ begins, effort: "budget" },
    price: [1.25, 10, 0.125],
    long: { over, price: [2.5, 15, 0.25] },
  }),
  gemini("2.5-flash", "2026-05-19", { price: [0.3, 2.5, 0.03], effort: "budget" }),
  gemini("2.5*", "2026-05-19", { effort: "budget" }),
];
