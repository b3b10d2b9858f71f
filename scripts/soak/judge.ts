// Is it flat? Pure: samples in, verdicts out.
import type { Sample } from "./sample.ts";

interface Verdict {
  readonly what: string;
  readonly found: string;
  readonly limit: string;
  readonly ok: boolean;
}

type Series = readonly number[];

/**
 * A heap swings by tens of MiB between collections, and connections come and go; what a leak raises is the floor, the least of each
 * of so many parts.
 */
const parts = 20;

/** The first part of a soak fills caches, compiles code and grows the heap to its working size. */
const warmUp = 0.1;
/** Below this the heap is still growing to its working size, and the database grows in few large steps. */
const shortMinutes = 4;

const limits = {
  /** Of memory, from the end of the warm-up to the end: the larger of the two. */
  rssShare: 0.1,
  rssMiB: 8,
  /** Whatever happens, however short. */
  rssPeakMiB: 400,
  /** A leak of one per hundred tasks shows in minutes. */
  growth: 2,
  /** Of bytes per event, or per task, from the first half to the second. */
  share: 0.2,
  shareInShort: 1,
  /** SQLite moves its log into the database at 4 MiB; one large transaction may come on top. */
  walMiB: 16,
};

export function judge(samples: readonly Sample[]): readonly Verdict[] {
  const warm = samples.slice(Math.floor(samples.length * warmUp));
  if (warm.length < 4) {
    return [{ what: "samples", found: String(warm.length), limit: "at least 4 after the warm-up", ok: false }];
  }
  const series = (of: (sample: Sample) => number): Series => warm.map(of);
  const seconds = series((one) => one.seconds);
  const rss = floor(
    seconds,
    series((one) => one.rssMiB),
  );
  const growth = (of: (sample: Sample) => number): number => floor(seconds, series(of)).growth;
  const isShort = (seconds.at(-1) ?? 0) - (seconds[0] ?? 0) < shortMinutes * 60;
  const share = isShort ? limits.shareInShort : limits.share;
  const tasks = series((one) => one.tasks);
  const events = series((one) => one.events);
  const stored = series((one) => one.dbBytes + one.walBytes);
  const beside = series((one) => one.coderBytes);
  const memoryLimit = Math.max(limits.rssMiB, limits.rssShare * rss.start);
  return [
    ...(isShort ? [] : [under("memory growth, MiB", rss.growth, memoryLimit)]),
    under("memory peak, MiB", Math.max(...samples.map((one) => one.rssMiB)), limits.rssPeakMiB),
    under(
      "open files growth",
      growth((one) => one.fds),
      limits.growth,
    ),
    under(
      "threads growth",
      growth((one) => one.threads),
      limits.growth,
    ),
    under("child processes between tasks", Math.max(...series((one) => one.children)), 0),
    under("write-ahead log, MiB", Math.max(...series((one) => one.walBytes)) / 2 ** 20, limits.walMiB),
    steady("database bytes per event", events, stored, share),
    steady(".coder bytes per task", tasks, beside, share),
  ];
}

function under(what: string, found: number, limit: number): Verdict {
  return { what, found: found.toFixed(1), limit: `at most ${limit.toFixed(1)}`, ok: found <= limit };
}

/** What one more costs, in the second half as in the first. Less is no fault. */
function steady(what: string, x: Series, y: Series, share: number): Verdict {
  const middle = Math.floor(x.length / 2);
  const before = slope(x.slice(0, middle + 1), y.slice(0, middle + 1));
  const after = slope(x.slice(middle), y.slice(middle));
  const limit = before * (1 + share);
  return {
    what,
    found: `${before.toFixed(0)}, then ${after.toFixed(0)}`,
    limit: `at most ${limit.toFixed(0)}`,
    ok: after <= limit,
  };
}

/** The straight line through the least values. */
function floor(x: Series, y: Series): ReturnType<typeof line> {
  const size = Math.max(1, Math.floor(y.length / parts));
  const starts = Array.from({ length: Math.floor(y.length / size) }, (_, at) => at * size);
  const least = starts.map((at) => Math.min(...y.slice(at, at + size)));
  return line(
    starts.map((at) => x[at] ?? 0),
    least,
  );
}

/** The straight line through the points: where it starts, and how far it rises until the end. */
function line(x: Series, y: Series): { readonly start: number; readonly growth: number } {
  const rise = slope(x, y);
  const [first = 0, last = 0] = [x[0], x.at(-1)];
  return { start: mean(y) - rise * (mean(x) - first), growth: rise * (last - first) };
}

/** Least squares. */
function slope(x: Series, y: Series): number {
  const [meanX, meanY] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, at) => sum + (value - meanX) * ((y[at] ?? 0) - meanY), 0);
  const below = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

function mean(values: Series): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
