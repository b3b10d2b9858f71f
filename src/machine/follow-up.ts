import type { EventBody } from "../contract/event.ts";
import { areChecksOver, verdictOf } from "./checks.ts";
import { decideRecovery } from "./recovery.ts";
import type { SessionState } from "./state.ts";

/** The event that follows from the state alone, appended right after its cause; `null`: the state waits for an outside answer. */
export function followUp(state: SessionState): EventBody | null {
  const { task } = state;
  if (task.phase === "IDLE") return null;
  const { id: taskId, input } = task.task;
  switch (task.phase) {
    case "CONTEXT_BUILDING":
      return { type: "context.built", taskId };
    case "PLANNING":
      if (task.begun || task.plan !== null) return null;
      return { type: "plan.settled", taskId, plan: null, needsConfirmation: false };
    case "VERIFYING":
      if (input.schema !== undefined || !areChecksOver(task)) return null;
      return { type: "checks.finished", taskId, result: verdictOf(task) };
    case "RECOVERING": {
      const next = decideRecovery(task, state.run);
      return next && { type: "recovery.decided", taskId, runId: `r${state.runs + 1}`, ...next };
    }
    default:
      return null;
  }
}
