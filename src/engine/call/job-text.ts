import { plainScreen } from "../../platform/process/screen.ts";
import { cleanOutput, withoutHalves } from "./redact.ts";

/** What a job wrote so far, as the model and the log may have it. */
export function shownText(raw: string, isTerminal: boolean): string {
  const kept = cleanOutput(isTerminal ? plainScreen(raw) : raw);
  const last = kept.lastIndexOf("\n") + 1;
  return kept.slice(0, last) + withoutHalves(kept.slice(last));
}

/**
 * What `raw` shows beyond its beginning `seen`. The whole is made showable, not the new part alone: a secret, a colour or a
 * line that is drawn over may have begun in what was seen. Where that changes what was shown, its line is shown again.
 */
export function newText(seen: string, raw: string, isTerminal: boolean): string {
  const before = shownText(seen, isTerminal);
  const all = shownText(raw, isTerminal);
  if (all.startsWith(before)) return all.slice(before.length);
  let same = 0;
  while (same < all.length && all[same] === before[same]) same++;
  return all.slice(all.lastIndexOf("\n", same - 1) + 1);
}
