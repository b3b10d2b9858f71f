import type { ModelFault } from "../../contract/delta.ts";

const firstMs = 500;
/** A longer wait is the user's decision, made with `model_outage_s`. */
const longestAskedMs = 10 * 60_000;
/** How often a server's wish for an immediate retry is granted. */
const believedAtOnce = 5;

export function isWaitedFor(askedMs: number, outageMs = 0): boolean {
  return askedMs <= Math.max(longestAskedMs, outageMs);
}

/** Retry policy of a fault: the longest pause, the most attempts, and the total wait as a multiple of the outage setting. */
interface Worth {
  readonly longestMs: number;
  readonly attempts: number;
  readonly outages: number;
}

const never: Worth = { longestMs: 0, attempts: 0, outages: 0 };
/** Each attempt takes minutes or costs a whole reply. */
const costly: Worth = { longestMs: 30_000, attempts: 5, outages: Number.POSITIVE_INFINITY };

const worthRetrying: Readonly<Record<ModelFault["kind"], Worth>> = {
  // An outage passes by itself, and an attempt costs nothing.
  connection: { longestMs: 30_000, attempts: Number.POSITIVE_INFINITY, outages: 1 },
  // The server works but has no capacity; frequent attempts only prolong that.
  busy: { longestMs: 60_000, attempts: Number.POSITIVE_INFINITY, outages: 3 },
  idle: costly,
  protocol: costly,
  auth: never,
  bad_request: never,
  overflow: never,
  cancelled: never,
};

/** How often the same call failed in the same way, including this time, and the total wait so far. */
export interface FailureRun {
  readonly failures: number;
  readonly waitedMs: number;
}

export interface RetryLimits {
  readonly maxAttempts: number;
  /** Minimum total wait for an unreachable provider. */
  readonly outageMs: number;
}

/** The wait before the next attempt; `null` = no retry. `random` is in [0, 1). */
export function retryDelay(fault: ModelFault, tried: FailureRun, limits: RetryLimits, random: number): number | null {
  const { failures, waitedMs } = tried;
  const { attempts, outages, longestMs } = worthRetrying[fault.kind];
  if (failures >= Math.min(limits.maxAttempts, attempts)) return null;
  if (waitedMs >= limits.outageMs * outages) return null;
  const pause = (nth: number): number => {
    const backoff = Math.min(longestMs, firstMs * 2 ** (nth - 1));
    return Math.round(backoff * (0.75 + random * 0.5));
  };
  const { retryAfterMs: asked } = fault;
  if (asked === null) return pause(failures);
  if (!isWaitedFor(asked, limits.outageMs)) return null;
  return failures > believedAtOnce ? Math.max(asked, pause(failures - believedAtOnce)) : asked;
}
