import type { Compaction, View } from "../contract/event.ts";
import { render } from "./build.ts";
import type { History } from "./history.ts";

export interface CompactLimits {
  /** Tokens (our uncorrected estimate) that the messages may take. */
  readonly target: number;
  /** Entries at the end that keep their full outputs at first. */
  readonly keepRecent: number;
}

/** A reported overflow means that the estimate was too low: the next view must be clearly smaller than this one. */
const SHRINK = 0.7;

/** MD-5: prune old outputs, then drop whole turns with their results, then give up. Never makes the view larger. */
export function compact(history: History, view: View, limits: CompactLimits): Compaction {
  const before = size(history, view);
  const target = Math.min(limits.target, Math.floor(before * SHRINK));
  const count = history.entries.length;
  for (let keep = limits.keepRecent; keep >= 1; keep = Math.floor(keep / 2)) {
    const tried = { ...view, pruneBefore: Math.max(view.pruneBefore, count - keep) };
    const after = size(history, tried);
    if (after <= target) return { stage: "prune", ...tried, tokensBefore: before, tokensAfter: after };
  }
  return (
    trim(history, { ...view, pruneBefore: Math.max(view.pruneBefore, count - 1) }, target, before) ?? {
      stage: "exhausted",
      ...view,
      tokensBefore: before,
      tokensAfter: before,
    }
  );
}

function trim(history: History, view: View, target: number, before: number): Compaction | null {
  const { entries } = history;
  const current = currentTask(history);
  let after = size(history, view);
  for (let cut = view.trimBefore; cut < entries.length - 1; cut++) {
    const entry = entries[cut];
    if (entry && cut !== current) after -= render(entry, cut < view.pruneBefore).tokens;
    if (after <= target)
      return {
        stage: "trim",
        pruneBefore: view.pruneBefore,
        trimBefore: cut + 1,
        tokensBefore: before,
        tokensAfter: after,
      };
  }
  return null;
}

function currentTask(history: History): number {
  return history.entries.findLastIndex((entry) => entry.kind === "user");
}

function size(history: History, view: View): number {
  const current = currentTask(history);
  let tokens = 0;
  for (const [at, entry] of history.entries.entries()) {
    if (at < view.trimBefore && at !== current) continue;
    tokens += render(entry, at < view.pruneBefore).tokens;
  }
  return tokens;
}
