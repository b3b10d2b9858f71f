import type { ModelFault } from "../../contract/delta.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Usage } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { retryDelay } from "../../model/fault/retry.ts";
import { isOutage } from "../question/model-fallback.ts";
import type { ModelCallDeps } from "./model-call.ts";

export interface CallPlace {
  readonly runId: string;
  readonly index: number;
  readonly attempt: number;
}

/** About ten seconds of retries. */
const beforeFallback = 5;

/** After a failed call: another attempt, another model if the user allows it, or the end of the run. */
export async function failure(
  deps: ModelCallDeps,
  id: CallPlace,
  error: ErrorInfo,
  fault: ModelFault,
  signal: AbortSignal,
): Promise<EventBody | null> {
  if (fault.kind === "cancelled") return null;
  const { run } = deps.state();
  const allowed = "run" in run ? run.run.limits.maxAttempts : 1;
  const maxAttempts = deps.fallback.isThere ? Math.min(allowed, beforeFallback) : allowed;
  const limits = { maxAttempts, outageMs: deps.settings.modelOutageMs };
  const retryInMs = retryDelay(fault, deps.patience.failed(id, fault.kind), limits, Math.random());
  const failed = { type: "model.failed", ...id, error, fault: fault.kind } as const;
  if (retryInMs !== null || !isOutage(fault.kind)) return { ...failed, retryInMs };
  const isTaken = await deps.fallback.take(error, signal);
  if (signal.aborted) return null;
  if (isTaken) deps.patience.renew();
  const advice = isTaken ? null : deps.fallback.advice();
  return { ...failed, retryInMs: isTaken ? 0 : null, ...(advice ? { error: { ...error, advice } } : {}) };
}

/** Reports what a local server says about its window, and whether it truncated the request silently. */
export function tellWindow({ model, calibration, ref, tell }: ModelCallDeps, estimate: number, { input }: Usage): void {
  const { window, notice } = model;
  if (notice) tell(notice);
  if (window === undefined || input === 0 || input > window || estimate <= window * 1.1) return;
  // The server truncated the request, so its token count must not recalibrate our estimate.
  calibration.sent(input);
  tell(phrase("local.truncated", { model: ref, read: input, sent: estimate }));
}
