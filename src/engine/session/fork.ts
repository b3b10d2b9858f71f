import type { Effect } from "../../contract/effect.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Call } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { pending } from "../../machine/pending.ts";
import { openCalls, type SessionState } from "../../machine/state.ts";

type Settle = (call: Call, status: "unknown", error: ErrorInfo) => EventBody;

/**
 * PS-5: a copy continues the conversation, not the work. What is open stays with the original, which may be running it at
 * this moment: carried out here too, it would happen twice.
 */
export function leaveOpenTask(
  state: SessionState,
  settle: Settle,
): { readonly bodies: readonly EventBody[]; readonly orders: readonly Effect[] } {
  const jobs = state.jobs.filter((job) => job.end === null).map(({ id }) => leftJob(id));
  if (state.task.phase === "IDLE") return { bodies: jobs, orders: [] };
  const error: ErrorInfo = { code: "E_CANCELLED", text: phrase("run.left_to_original"), sideEffect: "unknown" };
  const open = openCalls(state.run).filter((one) => one.status !== "settled");
  return {
    // The cancel first: while it is carried out, results count and nothing new is ordered.
    bodies: [
      ...jobs,
      { type: "cancel.requested", source: "fork" },
      ...open.map(({ call }) => settle(call, "unknown", error)),
    ],
    // The original was stopping already: the copy needs its own word that nothing of it runs here.
    orders: pending(state).filter((effect) => effect.type === "stop_run"),
  };
}

function leftJob(jobId: string): EventBody {
  return { type: "job.ended", jobId, fate: "left", exitCode: null, signal: null, tail: "" };
}
