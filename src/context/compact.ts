import type { Compaction, View } from "../contract/event.ts";
import type { History } from "../machine/history/history.ts";
import { headOf, renderAt } from "./build.ts";
import { type SummarySource, summaryAt } from "./summary/summary.ts";

export interface CompactLimits {
  /** Token budget of the messages (our uncorrected estimate). */
  readonly target: number;
  /** Entries at the end that first keep their full outputs. */
  readonly keepRecent: number;
}

/** A reported overflow means that the estimate was too low, so the next view must be clearly smaller. */
const SHRINK = 0.7;
/** Maximum share of the budget for the summary; each is tried in turn. */
const SHARES: readonly number[] = [0.5, 0.25, 0.12];
const MAX_SUMMARY = 16_000;

/** MD-5: prune old outputs, then summarise, then drop whole steps with their results, then give up. Never makes the view larger. */
export function compact(history: History, view: View, limits: CompactLimits, source: SummarySource): Compaction {
  const before = size(history, view);
  const goal = goalOf(before, limits);
  // Overviews go first in any case: files can be looked at again.
  const bare = withoutOverviews(history, view);
  return (
    prune(history, bare, goal, before) ??
    summarise(history, bare, goal, source, before) ??
    trim(history, bare, goal.target, before) ?? {
      stage: "exhausted",
      ...view,
      tokensBefore: before,
      tokensAfter: before,
    }
  );
}

function withoutOverviews({ entries }: History, view: View): View {
  const from = entries.findLastIndex(({ kind }) => kind === "overview") + 1;
  return from > (view.overviewsFrom ?? 0) ? { ...view, overviewsFrom: from } : view;
}

/** Below this saving, the original says more than its summary. */
const WORTH = 200;

/** A compaction that the user asked for; `null` = not worth it. */
export function compactOnDemand(
  history: History,
  view: View,
  limits: CompactLimits,
  source: SummarySource,
): Compaction | null {
  const { keepRecent } = limits;
  const before = size(history, view);
  const target = before - WORTH;
  const goal = Math.min(goalOf(before, limits).target, target);
  const bare = withoutOverviews(history, view);
  return (
    summarise(history, bare, { target: goal, keepRecent }, source, before) ??
    summarise(history, bare, { target, keepRecent }, source, before)
  );
}

function goalOf(before: number, { target, keepRecent }: CompactLimits): CompactLimits {
  return { target: Math.min(target, Math.floor(before * SHRINK)), keepRecent };
}

function prune(history: History, view: View, goal: CompactLimits, before: number): Compaction | null {
  const { length } = history.entries;
  const marks = [0, ...halves(goal.keepRecent).map((keep) => length - keep)];
  for (const mark of marks) {
    const tried = { ...view, pruneBefore: Math.max(view.pruneBefore, mark) };
    const after = size(history, tried);
    if (after <= goal.target) return { stage: "prune", ...tried, tokensBefore: before, tokensAfter: after };
  }
  return null;
}

function summarise(
  history: History,
  view: View,
  goal: CompactLimits,
  source: SummarySource,
  before: number,
): Compaction | null {
  const { entries } = history;
  for (const share of SHARES) {
    const room = Math.min(MAX_SUMMARY, Math.floor(goal.target * share));
    for (const keep of halves(goal.keepRecent)) {
      const cut = entries.length - keep;
      if (cut <= 0 || cut < view.trimBefore) continue;
      const summary = summaryAt(history, view, { cut, room }, source);
      for (const pruneBefore of [cut, entries.length - 1]) {
        const tried = { ...view, pruneBefore: Math.max(view.pruneBefore, pruneBefore), trimBefore: cut, summary };
        const after = size(history, tried);
        const dropped = cut - view.trimBefore;
        if (after <= goal.target && after < before)
          return { stage: "summary", ...tried, tokensBefore: before, tokensAfter: after, dropped };
      }
    }
  }
  return null;
}

/** The last resort, when not even a short summary fits. A previous summary is dropped last; the newest entry stays. */
function trim(history: History, view: View, target: number, before: number): Compaction | null {
  const { entries } = history;
  const { summary: _, ...bare } = view;
  const pruneBefore = Math.max(view.pruneBefore, entries.length - 1);
  for (const shown of view.summary ? [view, bare] : [view]) {
    let tail = tailSize(history, { ...shown, pruneBefore });
    for (let cut = shown.trimBefore; cut < entries.length; cut++) {
      const tried = { ...shown, pruneBefore, trimBefore: cut };
      const after = tail + headSize(history, tried);
      const dropped = cut - view.trimBefore;
      if (after <= target) return { stage: "trim", ...tried, tokensBefore: before, tokensAfter: after, dropped };
      const entry = entries[cut];
      if (entry) tail -= renderAt(entry, cut, tried).tokens;
    }
  }
  return null;
}

/** `from`, then half of it each time, down to 1. */
function halves(from: number): readonly number[] {
  const all: number[] = [];
  for (let keep = from; keep >= 1; keep = Math.floor(keep / 2)) all.push(keep);
  return all;
}

function size(history: History, view: View): number {
  return headSize(history, view) + tailSize(history, view);
}

function headSize(history: History, view: View): number {
  return headOf(history, view).reduce((sum, { tokens }) => sum + tokens, 0);
}

function tailSize({ entries }: History, view: View): number {
  let tokens = 0;
  for (let at = view.trimBefore; at < entries.length; at++) {
    const entry = entries[at];
    if (entry) tokens += renderAt(entry, at, view).tokens;
  }
  return tokens;
}
