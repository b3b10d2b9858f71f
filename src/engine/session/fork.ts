import type { Effect } from "../../contract/effect.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Call } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { pending } from "../../machine/pending.ts";
import { openCalls, type SessionState } from "../../machine/state.ts";

type Settle = (call: Call, status: "unknown", error: ErrorInfo) => EventBody;

/** PS-5: a fork continues the history, not the work. The original may be running its open calls: here they would run twice. */
export function leaveOpenTask(
  state: SessionState,
  settle: Settle,
): { readonly bodies: readonly EventBody[]; readonly orders: readonly Effect[] } {
  const jobs = state.jobs.filter((job) => job.end === null).map(({ id }) => leftJob(id));
  if (state.task.phase === "IDLE") return { bodies: jobs, orders: [] };
  const error: ErrorInfo = { code: "E_CANCELLED", text: phrase("run.left_to_original"), sideEffect: "unknown" };
  const open = openCalls(state.run).filter((one) => one.status !== "settled");
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

function leftJob(jobId: string): EventBody {
  return { type: "job.ended", jobId, fate: "left", exitCode: null, signal: null, tail: "" };
}
