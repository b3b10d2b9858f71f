import { type ErrorInfo, ok, type Result } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase, type TextKey } from "../../contract/text/catalogue.ts";
import { spentBudget } from "../../machine/go-on.ts";
import type { SessionState } from "../../machine/state.ts";
import { limitsOf } from "../effect/task-rows.ts";

/** PS-6: the event that continues a stopped task, or why it cannot continue, before anything is written. */
export function goOnWith(state: SessionState, settings: Settings, isInteractive: boolean): Result<EventBody> {
  const { stopped, task, queue } = state;
  if (task.phase !== "IDLE" || queue.length > 0) return refuse("continue.running");
  if (stopped === null) return refuse("continue.nothing");
  const { stop } = stopped.end;
  if (stop === "NEEDS_ANSWER" && !isInteractive) return refuse("continue.needs_answer");
  const limits = limitsOf(settings, state.model);
  const spent = spentBudget(stopped, limits);
  if (spent)
    return { ok: false, error: { code: "E_INVALID_ARGS", text: spent, advice: phrase("continue.budget.advice") } };
  return ok({ type: "task.continued", taskId: stopped.task.id, nextRunId: `r${state.runs + 1}`, limits });
}

function refuse(text: "continue.running" | "continue.nothing" | "continue.needs_answer"): Result<never> {
  const error: ErrorInfo = { code: "E_INVALID_ARGS", text: phrase(text), advice: phrase(`${text}.advice` as TextKey) };
  return { ok: false, error };
}
