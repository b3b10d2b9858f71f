import type { Compaction } from "../../contract/event.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

export function compactionText({ stage, tokensBefore, tokensAfter, dropped = 0, summary }: Compaction): Phrase | null {
  const about = { before: tokensBefore, after: tokensAfter, dropped };
  switch (stage) {
    case "prune":
      return phrase("compact.pruned", about);
    case "summary":
      return phrase(summary?.by === "model" ? "compact.summarised" : "compact.ruled", about);
    case "trim":
      return phrase("compact.trimmed", about);
    case "exhausted":
      return null;
  }
}
