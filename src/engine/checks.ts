import type { History } from "../context/history.ts";
import type { EffectOf } from "../contract/effect.ts";
import type { EventBody } from "../contract/event.ts";
import type { ChecksResult } from "../contract/task.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { SessionState } from "../machine/state.ts";

export function checksResult(history: History): ChecksResult {
  const hasChanged = (history.task?.changes.length ?? 0) > 0;
  return { kind: "none", reason: phrase(hasChanged ? "verify.not_available" : "verify.nothing") };
}

/** The checks of a task whose answer has to fit a schema; what holds it to that is loaded for such tasks only. */
export async function checksWithAnswer(
  effect: EffectOf<"run_checks">,
  state: SessionState,
  history: History,
): Promise<EventBody> {
  const { answerProblems } = await import("./answer/check.ts");
  const schema = state.task.phase === "IDLE" ? true : state.task.task.input.schema;
  const answer = answerProblems(schema, history.task?.lastText ?? "");
  return { type: "checks.finished", taskId: effect.taskId, result: checksResult(history), answer };
}
