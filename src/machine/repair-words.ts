// Instructions to the model when its work is sent back. English only: the model reads them.
import type { Rung } from "../contract/task.ts";
import { type Fold, foldDetails, namesIn, placeOf, type VerificationResult } from "../contract/verification.ts";
import type { TaskCore } from "./state.ts";

export function checkInstruction(rung: Rung, { checks, rungs, tookBack }: TaskCore): string {
  const failures = (checks?.results ?? []).filter(({ ok }) => !ok).map(failureText);
  // The user may have chosen to keep the change.
  const isUndone = rungs.at(-1) === "rollback" && tookBack === true;
  if (rung === "repair")
    return `The check after your changes failed. Make the smallest repair of your own changes that lets it pass; do not weaken the tests. Do not run the same check yourself: it is run again when you are done.\n${failures.join("\n")}`;
  if (rung === "replan")
    return `The check still fails, and repairing the same way did not help. ${isUndone ? "Your last change was taken back: read the files again. " : ""}Change the part of the plan that leads nowhere and try one other way; what is done and works stays.\n${failures.join("\n")}`;
  return "";
}

export function answerInstruction(problems: readonly string[]): string {
  return [
    "The final answer does not fit the JSON Schema of this task:",
    ...problems.map((one) => `- ${one}`),
    "Answer once more with the corrected JSON value alone. Do not repeat work that is done.",
  ].join("\n");
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
