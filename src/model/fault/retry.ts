import type { ModelFault } from "../../contract/delta.ts";

const firstMs = 500;
/** Waiting longer than this is the person's decision, not ours: they take it with `model_outage_s`. */
const longestAskedMs = 10 * 60_000;
/** A server that wants to be asked again at once is believed so often. */
const believedAtOnce = 5;

/** Whether a provider that says how long it wants to be left alone is waited for. */
export function isWaitedFor(askedMs: number, outageMs = 0): boolean {
  return askedMs <= Math.max(longestAskedMs, outageMs);
}

/** What becomes of a failure: how long a pause grows, how often it is tried at most, for how many times the outage that is waited out. */
interface Worth {
  readonly longestMs: number;
  readonly attempts: number;
  readonly outages: number;
}

const never: Worth = { longestMs: 0, attempts: 0, outages: 0 };
/** Each try takes minutes, or costs a whole reply. */
const costly: Worth = { longestMs: 30_000, attempts: 5, outages: Number.POSITIVE_INFINITY };

const worthRetrying: Readonly<Record<ModelFault["kind"], Worth>> = {
  // An outage: it passes by itself, and each try costs nothing.
  connection: { longestMs: 30_000, attempts: Number.POSITIVE_INFINITY, outages: 1 },
  // It is there, and says that it will have time later: asking more often makes that later still.
  busy: { longestMs: 60_000, attempts: Number.POSITIVE_INFINITY, outages: 3 },
  idle: costly,
  protocol: costly,
  auth: never,
  bad_request: never,
  overflow: never,
  cancelled: never,
};

/** How often the same call has failed in the same way, this time included, and how long was waited for that to pass. */
export interface FailureRun {
  readonly failures: number;
  readonly waitedMs: number;
}

export interface RetryLimits {
  readonly maxAttempts: number;
  /** A provider that cannot be reached is waited for at least so long. */
  readonly outageMs: number;
}

/** How long to wait before the next attempt; `null` = do not try again. `random` is in [0, 1). */
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
