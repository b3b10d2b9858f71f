import type { Effect } from "../../contract/effect.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { JobFate } from "../../contract/job.ts";
import type { Call } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { pending } from "../../machine/pending.ts";
import { type SessionState, workingCalls } from "../../machine/state.ts";

type Settle = (call: Call, status: "unknown", error: ErrorInfo) => EventBody;

/** PS-5: a fork continues the history, not the work. The original may be running its open calls: here they would run twice. */
export function leaveOpenTask(
  state: SessionState,
  settle: Settle,
  fate: JobFate = "left",
): { readonly bodies: readonly EventBody[]; readonly orders: readonly Effect[] } {
  const jobs = state.jobs.filter((job) => job.end === null).map(({ id }) => endedJob(id, fate));
  if (state.task.phase === "IDLE") return { bodies: jobs, orders: [] };
  const error: ErrorInfo = { code: "E_CANCELLED", text: phrase("run.left_to_original"), sideEffect: "unknown" };
  const open = workingCalls(state).filter((one) => one.status !== "settled");
  return {
    // The cancel comes first: after it, results still count but nothing new is ordered.
    bodies: [
      ...jobs,
      { type: "cancel.requested", source: "fork" },
      ...open.map(({ call }) => settle(call, "unknown", error)),
    ],
    // If the original was already stopping, the fork needs its own `run.stopped`.
    orders: pending(state).filter((effect) => effect.type === "stop_run"),
  };
}

function endedJob(jobId: string, fate: JobFate): EventBody {
  return { type: "job.ended", jobId, fate, exitCode: null, signal: null, tail: "" };
}
