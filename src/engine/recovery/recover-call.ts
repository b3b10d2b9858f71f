// The next rung after failed calls. Loaded when a run ends this way.

import type { EffectOf } from "../../contract/effect.ts";
import type { EventBody } from "../../contract/event.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { nameOf } from "../../machine/blockage.ts";
import { costSpent } from "../../machine/budget.ts";
import type { History } from "../../machine/history/history.ts";
import { afterFailedCall, type Stuck } from "../../machine/recovery-call.ts";
import { answerInstruction } from "../../machine/repair-words.ts";
import { coreOf, currentTask, type SessionState } from "../../machine/state.ts";
import { isReadOnly } from "../call/tool-context.ts";
import type { EffectPorts, Moment } from "../effect/row.ts";
import { answerProblems } from "../structured-output/check-answer.ts";

type RecoveryDeps = Pick<EffectPorts, "settings" | "tools" | "isInteractive">;

/** SM-8: the decision with its reason, the instruction to the model, and the blockage. */
export async function recoveryAfterCall(
  deps: RecoveryDeps,
  effect: EffectOf<"decide_recovery">,
  { state, history }: Moment,
): Promise<EventBody> {
  const stuck = stuckIn(deps, effect, state);
  const next = afterFailedCall(stuck);
  const { rung, reason, blockage } = next;
  const decided = { type: "recovery.decided", taskId: effect.taskId, runId: `r${state.runs + 1}` } as const;
  const problems = rung === "stop" && !stuck.isSpent ? await unfitAnswer(state, history) : [];
  if (problems.length > 0) {
    const instruction = answerInstruction(problems);
    return { ...decided, rung: "answer", repairable: true, reason: phrase("answer.repair"), instruction, blockage };
  }
  const shown = rung === "ask" || rung === "stop" ? { blockage } : {};
  const instruction = instructionFor(next, stuck);
  return { ...decided, repairable: rung !== "stop", rung, reason, instruction, ...shown };
}

/** A requested JSON answer is due even if the work failed. */
async function unfitAnswer(state: SessionState, history: History): Promise<readonly string[]> {
  const task = currentTask(state);
  if (task?.input.schema === undefined || task.unfit) return [];
  return await answerProblems(task.input.schema, history.task?.lastText ?? "");
}

function stuckIn(
  { settings, tools, isInteractive }: RecoveryDeps,
  { cause }: EffectOf<"decide_recovery">,
  state: SessionState,
): Stuck {
  const { task, run } = state;
  const core = coreOf(run);
  const { maxTokens = null } = core?.limits ?? {};
  const failed = tools.get(core?.failure?.tool ?? "");
  const isUsable = (name: string): boolean => {
    const tool = tools.get(name);
    const isAllowed = !isReadOnly(state) || tool?.access === "read";
    return tool !== undefined && isAllowed && !settings.toolsOff.includes(name);
  };
  return {
    failure: core?.failure ?? null,
    rungs: currentTask(state)?.rungs ?? [],
    note: (task.phase === "RECOVERING" ? task.end.note : null) ?? phrase("recovery.none"),
    isPlanned: cause === "plan",
    canAsk: isInteractive(),
    isSpent: core !== undefined && ((maxTokens !== null && core.tokens >= maxTokens) || costSpent(core) !== null),
    substitute: failed?.instead?.find(({ tool }) => isUsable(tool)) ?? null,
  };
}

/** English only: the model reads it. */
function instructionFor({ rung, fallback, blockage }: ReturnType<typeof afterFailedCall>, stuck: Stuck): string {
  const { failure, note, isPlanned } = stuck;
  const what = say("en", blockage.what);
  const suffix = isPlanned ? ` ${say("en", note)} Say with the plan tool how far it is, once it goes on.` : "";
  const call = failure ? nameOf(failure) : "";
  switch (rung) {
    case "retry":
      return `${what}. That may pass by itself: make this call once more, then go on with the task: ${call}.${suffix}`;
    case "fallback":
      return `${what}. Do not try ${failure?.tool} on it again; use ${fallback?.tool} instead: ${fallback?.how}.${suffix}`;
    case "ask":
      return `The task could not go on: ${what}. The person was asked how to go on, and answers as follows.${suffix}`;
    case "replan":
      return `${say("en", note)} Change the plan with the plan tool, only the part that does not work, and carry it out another way. If there is none, say what is missing and what the person can do by hand.`;
    default:
      return "";
  }
}
