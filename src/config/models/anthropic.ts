import { able, type CatalogueRow, K, M, type Source, toHigh, toMax } from "./row.ts";

const claude = (page: string, date: string): Source => [`https://platform.claude.com/docs/en/${page}`, date];

const big = { window: M, output: 128 * K, ...able } as const;
const small = { window: 200 * K, output: 64 * K, ...able } as const;

export const anthropicRows = (): readonly CatalogueRow[] => [
  {
    ref: "anthropic/claude-fable-5",
    begins: true,
    ...big,
    price: [10, 50, 1],
    effort: toMax,
    source: claude("models/overview", "2026-10-03"),
  },
  {
    ref: "anthropic/claude-opus-5-5",
    begins: true,
    ...big,
    price: [4, 20, 0.2],
    effort: toMax,
    source: claude("models/opus-5-5/overview", "2026-10-03"),
  },
  {
    ref: "anthropic/claude-opus-5",
    ...big,
    price: [5, 25, 0.5],
    effort: toMax,
    source: claude("models/opus-5/overview", "2026-10-03"),
  },
  {
    ref: "anthropic/claude-sonnet-5-5",
    begins: true,
    ...big,
    price: [2, 10, 0.1],
    effort: toMax,
    source: claude("models/sonnet-5-5/overview", "2026-10-03"),
  },
  {
    ref: "anthropic/claude-sonnet-5",
    ...big,
    price: [2, 10, 0.2],
    effort: ["low", "medium", "high", "max"],
    source: claude("models/sonnet-5/overview", "2026-10-03"),
  },
  {
    ref: "anthropic/claude-opus-4-8",
    begins: true,
    ...big,
    price: [5, 25, 0.5],
    effort: toMax,
    source: claude("about-claude/pricing", "2026-05-28"),
  },
  // A larger window is limited to some accounts.
  {
    ref: "anthropic/claude-opus-4-7",
    begins: true,
    ...small,
    effort: toMax,
    source: claude("build-with-claude/effort", "2026-05-28"),
  },
  {
    ref: "anthropic/claude-opus-4-6",
    begins: true,
    ...small,
    effort: ["low", "medium", "high", "max"],
    source: claude("build-with-claude/effort", "2026-03-13"),
  },
  {
    ref: "anthropic/claude-sonnet-4-6",
    begins: true,
    window: M,
    output: 64 * K,
    ...able,
    price: [3, 15, 0.3],
    effort: toHigh,
    source: claude("about-claude/pricing", "2026-03-13"),
  },
  {
    ref: "anthropic/claude-opus-4-5",
    begins: true,
    ...small,
    price: [5, 25, 0.5],
    effort: "budget",
    source: claude("about-claude/pricing", "2025-11-24"),
  },
  {
    ref: "anthropic/claude-sonnet-4-5",
    begins: true,
    ...small,
    price: [3, 15, 0.3],
    effort: "budget",
    source: claude("about-claude/pricing", "2025-11-25"),
  },
  {
    ref: "anthropic/claude-haiku-4-5",
    begins: true,
    ...small,
    price: [1, 5, 0.1],
    effort: "budget",
    source: claude("models/overview", "2026-10-03"),
  },
  // The minimum of all models so far.
  { ref: "anthropic/claude-*", ...small, source: claude("models/overview", "2026-10-03") },
];
