import type { History } from "../../context/history.ts";
import type { EffectOf } from "../../contract/effect.ts";
import type { EventBody } from "../../contract/event.ts";
import { callId } from "../../contract/ids.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Blockage, Rung } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { type Fold, foldDetails, namesIn, placeOf, type VerificationResult } from "../../contract/verification.ts";
import { costSpent } from "../../machine/budget.ts";
import { afterFailedCheck } from "../../machine/recovery.ts";
import type { SessionState, TaskCore } from "../../machine/state.ts";
import { repairInstruction } from "../structured-output/schema-words.ts";

/** SM-8: the next rung of the ladder, with its reason, and what the model is told. */
export function recoveryFor(
  effect: EffectOf<"decide_recovery">,
  state: SessionState,
  history: History,
  settings: Settings,
): EventBody {
  return recoveryEvent(effect, state, decided(effect, state, history, settings));
}

export function recoveryEvent(effect: EffectOf<"decide_recovery">, state: SessionState, next: Decided): EventBody {
  return {
    type: "recovery.decided",
    taskId: effect.taskId,
    runId: `r${state.runs + 1}`,
    repairable: next.rung !== "stop",
    ...next,
  };
}

interface Decided {
  readonly rung: Rung;
  readonly reason: Phrase;
  readonly instruction: string;
  readonly note?: Phrase;
  readonly blockage?: Blockage;
}

function decided(
  { cause }: EffectOf<"decide_recovery">,
  { task, run }: SessionState,
  history: History,
  { workflow }: Settings,
): Decided {
  const core = task.phase === "IDLE" ? null : task.task;
  const spent = "run" in run ? costSpent(run.run) : null;
  if (cause === "answer" && spent) return { rung: "stop", reason: spent, instruction: "", note: spent };
  if (cause === "answer" && core)
    return { rung: "answer", reason: phrase("answer.repair"), instruction: repairInstruction(core.unfit ?? []) };
  if (cause === "checks" && core) {
    const next = afterFailedCheck(core, workflow.onVerifyFailure, spent);
    const { problems, unfit } = core;
    if (next.rung === "stop" && spent === null && problems && !unfit)
      return { rung: "answer", reason: phrase("answer.repair"), instruction: repairInstruction(problems) };
    const told = { ...next, instruction: instructionFor(next.rung, core, isUndone(core, history)) };
    return spent && next.rung === "stop" ? { ...told, note: spent } : told;
  }
  const reason = phrase(cause === "timeout" ? "task.timed_out" : "recovery.none");
  return { rung: "stop", reason, instruction: "" };
}

/** The person may have wanted to keep it. */
function isUndone({ rungs, runId }: TaskCore, history: History): boolean {
  return rungs.at(-1) === "rollback" && history.resultOf(callId(runId, 0, 1))?.status === "done";
}

/** In English: the model reads it. */
function instructionFor(rung: Rung, { checks }: TaskCore, isTakenBack: boolean): string {
  const failures = (checks?.results ?? []).filter(({ ok }) => !ok).map(failureText);
  if (rung === "repair")
    return `The check after your changes failed. Make the smallest repair of your own changes that lets it pass; do not weaken the tests. Do not run the same check yourself: it is run again when you are done.\n${failures.join("\n")}`;
  if (rung === "replan")
    return `The check still fails, and repairing the same way did not help. ${isTakenBack ? "Your last change was taken back: read the files again. " : ""}Change the part of the plan that leads nowhere and try one other way; what is done and works stays.\n${failures.join("\n")}`;
  return "";
}

const SHOWN = 10;

function failureText({ command, type, summary, details }: VerificationResult): string {
  const folds = foldDetails(details);
  const rest = folds.slice(SHOWN).reduce((sum, { others }) => sum + 1 + others.length, 0);
  return [
    `${command}: ${type}: ${summary}`,
    ...folds.slice(0, SHOWN).map(foldText),
    ...(rest > 0 ? [`(${rest} more)`] : []),
  ].join("\n");
}

function foldText(fold: Fold): string {
  const { first, others } = fold;
  const { error, context } = first;
  const more = others.length === 0 ? "" : `\n(${others.length} more like this: ${namesIn(fold)})`;
  return `- ${placeOf(first)}${error}${context === "" ? "" : `\n${context}`}${more}`;
}
