import { type Call, type CallResult, subjectOf } from "../contract/message.ts";
import { MAX_IDLE_STEPS } from "./breakers.ts";
import type { FailedCall, RunCore } from "./state.ts";

const HEAD = 500;
const TAIL = 1500;

/** Updates the run's last failure. Todo and plan calls are our own bookkeeping and never block work. */
export function noteFailure(run: RunCore, call: Call, result: CallResult): RunCore {
  const { failure } = run;
  if (call.access === "session") return run;
  if (result.status === "failed" || result.status === "denied")
    return { ...run, failure: failedCall(run.index, call, result) };
  // A later success of the same tool or on the same subject clears the failure.
  if (!failure || result.status !== "done" || !isSame(failure, call)) return run;
  const { failure: _, ...rest } = run;
  return rest;
}

function isSame({ tool, about }: FailedCall, call: Call): boolean {
  return tool === call.tool || (about !== "" && about === subjectOf(call.input));
}

function failedCall(index: number, { tool, access, input }: Call, { error, output }: CallResult): FailedCall {
  const excerpt = output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}\n${output.slice(-TAIL)}` : output;
  return { index, tool, access, about: subjectOf(input), error: error ?? null, said: excerpt };
}

export function isStuckOnCall({ failure, index }: RunCore): boolean {
  return failure !== undefined && index - failure.index <= MAX_IDLE_STEPS;
}
