import { plainScreen } from "../../platform/process/screen.ts";
import { cleanOutput, withoutHalves } from "./redact.ts";

export function shownText(raw: string, isTerminal: boolean): string {
  const kept = cleanOutput(isTerminal ? plainScreen(raw) : raw);
  const last = kept.lastIndexOf("\n") + 1;
  return kept.slice(0, last) + withoutHalves(kept.slice(last));
}

/**
 * Both are cleaned as a whole, because a secret, an escape sequence or an overwritten line may begin in `seen`. If cleaning changed the
 * shown part, the new text starts at that line.
 */
export function newText(seen: string, raw: string, isTerminal: boolean): string {
  const before = shownText(seen, isTerminal);
  const all = shownText(raw, isTerminal);
  if (all.startsWith(before)) return all.slice(before.length);
  let same = 0;
  while (same < all.length && all[same] === before[same]) same++;
  return all.slice(all.lastIndexOf("\n", same - 1) + 1);
}
