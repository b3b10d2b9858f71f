import type { Result } from "../../contract/error.ts";
import { cleanOutput } from "./redact.ts";

/** Maximum output of one result in the model's context; the rest goes to a file that the model can page. */
const MODEL_CHARS = 30_000;
const HEAD_CHARS = 20_000;
/** Bounds the growth of `.coder/`. */
const SPILL_CHARS = 4_000_000;

export type Spill = (text: string) => Result<string>;

/** TP-6: redacts before it cuts, or half a secret at the cut would survive. */
export function boundOutput(text: string, spill: Spill, cleaned = cleanOutput): string {
  const kept = cleaned(text);
  // A text that fits must not be cut just because placeholders are longer than the secrets they replace.
  if (Math.min(text.length, kept.length) <= MODEL_CHARS) return kept;
  const tailChars = MODEL_CHARS - HEAD_CHARS;
  const left = kept.length - MODEL_CHARS;
  const spilled = spill(kept.slice(0, SPILL_CHARS));
  const where = spilled.ok ? `; what was kept is in ${spilled.value}, page it with read` : "";
  return `${kept.slice(0, HEAD_CHARS)}\n[… ${left} characters left out${where} …]\n${kept.slice(-tailChars)}`;
}
