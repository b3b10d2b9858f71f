import type { EventOf } from "../contract/event.ts";
import type { CallId } from "../contract/ids.ts";
import { type Call, type CallResult, subjectOf } from "../contract/message.ts";
import { MAX_IDLE_STEPS } from "./breakers.ts";
import type { CallState, FailedCall, RunCore } from "./state.ts";

type Settled = EventOf<"tool.settled">;

const HEAD = 500;
const TAIL = 1500;

/**
 * Updates the run's last failure; `calls` are those of its step. "Last" and "later" mean the order of the calls, not that of their ends.
 * Todo and plan calls are our own bookkeeping and never block work.
 */
export function noteFailure(run: RunCore, calls: readonly CallState[], { callId, result }: Settled): RunCore {
  const { failure } = run;
  const placeOf = (id: CallId) => calls.findIndex(({ call }) => call.id === id);
  const at = placeOf(callId);
  const call = calls[at]?.call;
  if (!call || call.access === "session") return run;
  if (failure?.index === run.index && placeOf(failure.callId) > at) return run;
  if (result.status === "failed" || result.status === "denied") {
    const failed = failedCall(run.index, call, result);
    const isMadeGood = calls.slice(at + 1).some((one) => one.result?.status === "done" && isSame(failed, one.call));
    return isMadeGood ? run : { ...run, failure: failed };
  }
  // A later success of the same tool or on the same subject clears the failure.
  if (!failure || result.status !== "done" || !isSame(failure, call)) return run;
  const { failure: _, ...rest } = run;
  return rest;
}

function isSame({ tool, about }: FailedCall, call: Call): boolean {
  return tool === call.tool || (about !== "" && about === subjectOf(call.input));
}

function failedCall(
  index: number,
  { id: callId, tool, access, input }: Call,
  { error, output }: CallResult,
): FailedCall {
  const excerpt = output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}\n${output.slice(-TAIL)}` : output;
  return { index, callId, tool, access, about: subjectOf(input), error: error ?? null, said: excerpt };
}

export function isStuckOnCall({ failure, index }: RunCore): boolean {
  return failure !== undefined && index - failure.index <= MAX_IDLE_STEPS;
}
