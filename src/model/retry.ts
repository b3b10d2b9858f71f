import type { ModelFault } from "../contract/delta.ts";

const firstMs = 500;
const longestMs = 30_000;
/** Waiting longer than this is the person's decision, not ours. */
const longestAskedMs = 10 * 60_000;

const worthRetrying: Readonly<Record<ModelFault["kind"], boolean>> = {
  connection: true,
  busy: true,
  idle: true,
  protocol: true,
  auth: false,
  bad_request: false,
  overflow: false,
  cancelled: false,
};

/**
 * How long to wait before the next attempt; `null` = do not try again. `attempt` is the one that just failed, counted
 * from 1; `random` is in [0, 1).
 */
export function retryDelay(fault: ModelFault, attempt: number, maxAttempts: number, random: number): number | null {
  if (!worthRetrying[fault.kind] || attempt >= maxAttempts) return null;
  if (fault.retryAfterMs !== null) return fault.retryAfterMs <= longestAskedMs ? fault.retryAfterMs : null;
  const backoff = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return Math.round(backoff * (0.75 + random * 0.5));
}
