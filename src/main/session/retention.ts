import { CoderError } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import { plain } from "../../contract/show/visible.ts";
import type { Holding, SessionRow, Store } from "../../contract/store.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { removeLeftovers } from "../../store/leftovers.ts";
import { openStore } from "../../store/open.ts";
import type { Io } from "../../surface/headless/io.ts";

/** `null` = no limit. Bytes and milliseconds. */
export interface Rule {
  readonly olderThan: number | null;
  /** This many newest sessions always stay. */
  readonly keep: number | null;
  readonly maxBytes: number | null;
}

/** Oldest first, never one that is open. */
export function chooseOld(holdings: readonly Holding[], rule: Rule, now: number): readonly Holding[] {
  const { olderThan, keep, maxBytes } = rule;
  const kept = new Set(holdings.slice(0, keep ?? 0).map(({ id }) => id));
  const oldestFirst = holdings.filter(({ id, holder }) => holder === null && !kept.has(id)).reverse();
  let total = holdings.reduce((sum, { bytes }) => sum + bytes, 0);
  const isOnlyKeep = olderThan === null && maxBytes === null;
  const chosen: Holding[] = [];
  const take = (one: Holding): void => {
    chosen.push(one);
    total -= one.bytes;
  };
  for (const one of oldestFirst) {
    const isOld = olderThan !== null && now - one.updatedAt > olderThan;
    if (isOld || (isOnlyKeep && keep !== null)) take(one);
  }
  for (const one of oldestFirst) {
    if (maxBytes === null || total <= maxBytes) break;
    if (!chosen.includes(one)) take(one);
  }
  return chosen;
}

/** Removes rows, snapshot and spilled output. Forks of the session may still page through the output, so it stays then. */
export function removeWhole(store: Store, { id }: SessionRow): ReturnType<Store["remove"]> {
  return store.remove(id, ({ workspace }, hasCopies) => void removeLeftovers(workspace, id, !hasCopies));
}

/** Nobody should wait at the end of a run; the rest is done the next day. */
const patienceMs = 2_000;

/** Neither removals nor failures change the exit code of the run. */
export function retainAfterRun(settings: Settings, io: Io): void {
  const { maxAgeDays, maxSizeMb } = settings.retention;
  const rule: Rule = {
    olderThan: maxAgeDays === null ? null : maxAgeDays * 86_400_000,
    // The newest session is that of this run.
    keep: 1,
    maxBytes: maxSizeMb === null ? null : maxSizeMb * 1e6,
  };
  try {
    const store = openStore(settings.home);
    try {
      const n = retain(store, rule, Date.now());
      if (n > 0) io.err(`${say(settings.lang, phrase("cli.retained", { n }))}\n`);
    } finally {
      store.close();
    }
  } catch (error) {
    if (!(error instanceof CoderError && error.info.code === "E_STORE")) throw error;
    io.err(`${plain(say(settings.lang, error.info.text))}\n`);
  }
}

/** `sessions.max_age_days` and `sessions.max_size_mb`: runs once a day with a time limit and returns the number removed. */
function retain(store: Store, rule: Rule, now: number): number {
  if (!store.claimDay(now)) return 0;
  const deadline = performance.now() + patienceMs;
  let removed = 0;
  for (const one of chooseOld(store.holdings(), rule, now)) {
    if (performance.now() > deadline) break;
    if (removeWhole(store, one).ok) removed += 1;
  }
  store.shrink(Math.max(0, deadline - performance.now()));
  return removed;
}
