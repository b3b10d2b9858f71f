import { anthropicRows } from "./anthropic.ts";
import { googleRows } from "./google.ts";
import { openaiRows } from "./openai.ts";
import { deepseekRows, otherRows } from "./others.ts";
import type { CatalogueRow } from "./row.ts";

/** Made when it is first asked for. An exact name comes before a family, and a longer family before a shorter one. */
export const catalogueRows = (): readonly CatalogueRow[] => [
  ...anthropicRows(),
  ...openaiRows(),
  ...googleRows(),
  ...deepseekRows(),
  ...otherRows(),
];
