import type { Result } from "../../contract/error.ts";
import { cleanOutput } from "./redact.ts";

/** What the model sees of one result at most; the rest is spilled to a file it can page. */
const MODEL_CHARS = 30_000;
const HEAD_CHARS = 20_000;
/** A spilled output is cut here: `.coder/` must not grow without bound. */
const SPILL_CHARS = 4_000_000;

export type Spill = (text: string) => Result<string>;

/** TP-6: redact first, then cut: a secret must not survive by straddling the cut. */
export function boundOutput(text: string, spill: Spill, cleaned = cleanOutput): string {
  const kept = cleaned(text);
  // A page that fits is not torn because a placeholder is longer than the secret it stands for.
  if (Math.min(text.length, kept.length) <= MODEL_CHARS) return kept;
  const tailChars = MODEL_CHARS - HEAD_CHARS;
  const left = kept.length - MODEL_CHARS;
  const spilled = spill(kept.slice(0, SPILL_CHARS));
  const where = spilled.ok ? `; what was kept is in ${spilled.value}, page it with read` : "";
  return `${kept.slice(0, HEAD_CHARS)}\n[… ${left} characters left out${where} …]\n${kept.slice(-tailChars)}`;
}
