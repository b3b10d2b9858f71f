import { anthropicRows } from "./anthropic.ts";
import { googleRows } from "./google.ts";
import { openaiRows } from "./openai.ts";
import { otherRows } from "./others.ts";
import type { CatalogueRow } from "./row.ts";

/** Exact names win over families, longer families over shorter ones. */
export const catalogueRows = (): readonly CatalogueRow[] => [
  ...anthropicRows(),
  ...openaiRows(),
  ...googleRows(),
  ...otherRows(),
];
