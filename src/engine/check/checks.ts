import type { EventBody } from "../../contract/event.ts";
import { callId } from "../../contract/ids.ts";
import type { CallResult } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import type { ChecksResult } from "../../contract/task.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { Check, VerificationResult } from "../../contract/verification.ts";
import type { History } from "../../machine/history/history.ts";
import { soundIn } from "../../machine/history/task-record.ts";
import { currentTask, type TaskCore } from "../../machine/state.ts";
import { shownAdvice } from "../call/result.ts";
import type { EffectPorts, Moment } from "../effect/row.ts";
import type { CheckDeps } from "./standing.ts";

/** Verdicts that need no disk access. If only the answer was requested again, the earlier one holds. `null` = look at the project. */
export function checksAtOnce({ state, history }: Moment): ChecksResult | null {
  const task = currentTask(state);
  const known = task && onlyAnswered(task, history);
  if (known) return known;
  const hasChanged = (history.task?.changes.length ?? 0) > 0;
  return task?.input.kind === "task" && hasChanged ? null : { kind: "none", reason: phrase("verify.nothing") };
}

function onlyAnswered({ checks, failed, unfit }: TaskCore, { task }: History): ChecksResult | null {
  const isStill = checks?.kind === "pass" && task !== undefined && soundIn(task) === task.changes.length;
  if (failed) return checks ?? { kind: "none", reason: phrase("verify.ended_before") };
  return unfit && isStill ? checks : null;
}

/**
 * A check that a crash interrupted runs again, as does one that failed for lack of a hidden file if `mayShow`: the user can be asked to
 * show it, and was not asked before.
 */
export function judgeCheck({ state, history }: Moment, lang: Lang, mayShow: EffectPorts["mayShow"]): EventBody | null {
  const { task } = state;
  if (task.phase !== "VERIFYING") return null;
  const next = { taskId: task.task.id, runId: `r${state.runs + 1}` };
  const result = history.resultOf(callId(task.task.runId, 0, 1));
  if (result?.status === "unknown") return { type: "checks.chosen", ...next, checks: task.todo };
  const check = task.todo[task.results.length];
  const found = result?.data?.verification ?? notRun(check, result, lang);
  const missed = found.ok ? [] : (result?.data?.missed ?? []);
  if (check && !check.shows && missed.length > 0 && mayShow(missed)) {
    const checks = task.todo.with(task.results.length, { ...check, shows: missed });
    return { type: "checks.chosen", ...next, checks };
  }
  const advice = missed.length > 0 ? { suggestion: say(lang, shownAdvice(missed)) } : {};
  return { type: "check.judged", ...next, result: { ...found, ...advice } };
}

/** A check that was denied or could not start says nothing about the code. */
function notRun(check: Check | undefined, result: CallResult | undefined, lang: Lang): VerificationResult {
  const { error } = result ?? {};
  const command = check?.command ?? "";
  // The user kept a file hidden and must still learn that this left the check without a result.
  if (check?.shows && result?.status === "denied")
    return inconclusive(
      command,
      phrase("check.hidden", { files: check.shows.join(", ") }),
      shownAdvice(check.shows),
      lang,
    );
  // After a "no", still explain how to allow the command.
  const advice = error?.advice ?? (check?.offer && phrase("verify.allow", { command: JSON.stringify(command) }));
  return inconclusive(command, error?.text ?? phrase("check.denied", { command }), advice, lang);
}

function inconclusive(command: string, why: Phrase, advice: Phrase | undefined, lang: Lang): VerificationResult {
  return {
    ok: false,
    type: "environment",
    command,
    exit_code: null,
    summary: say(lang, why),
    counts: { passed: null, failed: null, errors: null, skipped: null, todo: null },
    details: [],
    suggestion: advice ? say(lang, advice) : "",
    fingerprint: "",
  };
}

/** VF-2: a planned command that may not run; no other command runs in its place. */
export function unlistedCheck(command: string, lang: Lang): VerificationResult {
  const advice = phrase("verify.allow", { command: JSON.stringify(command) });
  return inconclusive(command, phrase("verify.unlisted", { command: visible(command) }), advice, lang);
}

export async function chosenChecks(taskId: string, deps: CheckDeps, at: Moment): Promise<EventBody> {
  const known = checksAtOnce(at);
  if (known) return finished(taskId, at, known);
  const { chooseFor } = await import("./choose-checks.ts");
  const mayOffer = (command: string): boolean => deps.isInteractive() && !deps.isRefusedCheck(command);
  const chosen = await chooseFor(deps, at, mayOffer);
  return "checks" in chosen ? chosen : finished(taskId, at, chosen);
}

/** Includes the problems of the answer if the task has a schema. */
export async function finished(taskId: string, { state, history }: Moment, result: ChecksResult): Promise<EventBody> {
  const schema = currentTask(state)?.input.schema;
  if (schema === undefined) return { type: "checks.finished", taskId, result };
  const { answerProblems } = await import("../structured-output/check-answer.ts");
  const answer = await answerProblems(schema, history.task?.lastText ?? "");
  return { type: "checks.finished", taskId, result, answer };
}
