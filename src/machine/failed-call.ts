import { type Call, type CallResult, subjectOf } from "../contract/message.ts";
import { MAX_IDLE_STEPS } from "./breakers.ts";
import type { FailedCall, RunCore } from "./state.ts";

/** What it said: enough to know it again, and no more. */
const HEAD = 500;
const TAIL = 1500;

/** The run with what is left of its last failure. Todos and plans are our own bookkeeping: they block no work. */
export function noteFailure(run: RunCore, call: Call, result: CallResult): RunCore {
  const { failure } = run;
  if (call.access === "session") return run;
  if (result.status === "failed" || result.status === "denied")
    return { ...run, failure: failedCall(run.index, call, result) };
  // What works now, or was done another way, no longer stands in the way.
  if (!failure || result.status !== "done" || !isSame(failure, call)) return run;
  const { failure: _, ...rest } = run;
  return rest;
}

function isSame({ tool, about }: FailedCall, call: Call): boolean {
  return tool === call.tool || (about !== "" && about === subjectOf(call.input));
}

function failedCall(index: number, { tool, access, input }: Call, { error, output }: CallResult): FailedCall {
  const said = output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}\n${output.slice(-TAIL)}` : output;
  return { index, tool, access, about: subjectOf(input), error: error ?? null, said };
}

/** Whether a run that stopped for lack of progress stopped over calls that fail. */
export function isStuckOnCall({ failure, index }: RunCore): boolean {
  return failure !== undefined && index - failure.index <= MAX_IDLE_STEPS;
}
