import type { ModelFault } from "../contract/delta.ts";

const firstMs = 500;
const longestMs = 30_000;
/** Waiting longer than this is the person's decision, not ours. */
const longestAskedMs = 10 * 60_000;

/** Whether a provider that says how long it wants to be left alone is waited for. */
export function isWaitedFor(askedMs: number): boolean {
  return askedMs <= longestAskedMs;
}

/** Most attempts; 0 = none but the first. */
const worthRetrying: Readonly<Record<ModelFault["kind"], number>> = {
  // An outage: it passes by itself, and each try costs nothing.
  connection: Number.POSITIVE_INFINITY,
  busy: Number.POSITIVE_INFINITY,
  // Each try takes minutes, or costs a whole reply.
  idle: 5,
  protocol: 5,
  auth: 0,
  bad_request: 0,
  overflow: 0,
  cancelled: 0,
};

/**
 * How long to wait before the next attempt; `null` = do not try again. `attempt` is the one that just failed, counted
 * from 1; `random` is in [0, 1).
 */
export function retryDelay(fault: ModelFault, attempt: number, maxAttempts: number, random: number): number | null {
  if (attempt >= Math.min(maxAttempts, worthRetrying[fault.kind])) return null;
  if (fault.retryAfterMs !== null) return isWaitedFor(fault.retryAfterMs) ? fault.retryAfterMs : null;
  const backoff = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return Math.round(backoff * (0.75 + random * 0.5));
}
