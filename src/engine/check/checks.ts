import type { EventBody } from "../../contract/event.ts";
import { callId } from "../../contract/ids.ts";
import type { CallResult } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import type { ChecksResult } from "../../contract/task.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { Check, VerificationResult } from "../../contract/verification.ts";
import type { History } from "../../machine/history/history.ts";
import { soundIn } from "../../machine/history/task-record.ts";
import type { SessionState, TaskCore } from "../../machine/state.ts";
import { shownAdvice } from "../call/result.ts";
import type { CheckDeps } from "./standing.ts";

/**
 * The commonest case, decided without a look at the disk: nothing was changed, or by the person. Where only the answer was asked for
 * again, what the checks said before still holds. `null` = it has to be looked at.
 */
export function checksAtOnce(state: SessionState, history: History): ChecksResult | null {
  const known = state.task.phase === "IDLE" ? null : onlyAnswered(state.task.task, history);
  if (known) return known;
  const hasChanged = (history.task?.changes.length ?? 0) > 0;
  const isTask = state.task.phase !== "IDLE" && state.task.task.input.kind === "task";
  return isTask && hasChanged ? null : { kind: "none", reason: phrase("verify.nothing") };
}

function onlyAnswered({ checks, failed, unfit }: TaskCore, { task }: History): ChecksResult | null {
  const isStill = checks?.kind === "pass" && task !== undefined && soundIn(task) === task.changes.length;
  if (failed) return checks ?? { kind: "none", reason: phrase("verify.ended_before") };
  return unfit && isStill ? checks : null;
}

/**
 * What the check that has just ended says. One that was interrupted by a crash is run again, and so is one that failed without
 * a hidden file, when the person can be asked whether it may be shown. `mayShow`: they can, and were not asked before.
 */
export function judgeCheck(
  state: SessionState,
  history: History,
  lang: Lang,
  mayShow: (files: readonly string[]) => boolean,
): EventBody | null {
  const { task } = state;
  if (task.phase !== "VERIFYING") return null;
  const next = { taskId: task.task.id, runId: `r${state.runs + 1}` };
  const result = history.resultOf(callId(task.task.runId, 0, 1));
  if (result?.status === "unknown") return { type: "checks.chosen", ...next, checks: task.todo };
  const check = task.todo[task.results.length];
  // As the tool that ran it has read it.
  const found = result?.data?.verification ?? notRun(check, result, lang);
  const missed = found.ok ? [] : (result?.data?.missed ?? []);
  if (check && !check.shows && missed.length > 0 && mayShow(missed)) {
    const checks = task.todo.with(task.results.length, { ...check, shows: missed });
    return { type: "checks.chosen", ...next, checks };
  }
  const advice = missed.length > 0 ? { suggestion: say(lang, shownAdvice(missed)) } : {};
  return { type: "check.judged", ...next, result: { ...found, ...advice } };
}

/** Whoever keeps a file hidden still has to know that nothing was verified for it. */
function stayedHidden(files: readonly string[], command: string, lang: Lang): VerificationResult {
  return silent(command, phrase("check.hidden", { files: files.join(", ") }), shownAdvice(files), lang);
}

/** Denied, or not to be started: that says nothing about the code. */
function notRun(check: Check | undefined, result: CallResult | undefined, lang: Lang): VerificationResult {
  const { error } = result ?? {};
  const command = check?.command ?? "";
  if (check?.shows && result?.status === "denied") return stayedHidden(check.shows, command, lang);
  // Whoever has said no to it may still want to know how to change that.
  const advice = error?.advice ?? (check?.offer && phrase("verify.allow", { command: JSON.stringify(command) }));
  return silent(command, error?.text ?? phrase("check.denied", { command }), advice, lang);
}

/** A check that says nothing about the code. */
function silent(command: string, why: Phrase, advice: Phrase | undefined, lang: Lang): VerificationResult {
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

/** VF-2: a command that a plan names and that may not run, which is never run by another name. */
export function unlistedCheck(command: string, lang: Lang): VerificationResult {
  const advice = phrase("verify.allow", { command: JSON.stringify(command) });
  return silent(command, phrase("verify.unlisted", { command: visible(command) }), advice, lang);
}

/** With a look at the project. */
export async function chosenChecks(
  taskId: string,
  deps: CheckDeps & { readonly isInteractive: () => boolean },
  state: SessionState,
  history: History,
): Promise<EventBody> {
  const known = checksAtOnce(state, history);
  if (known) return finished(taskId, state, history, known);
  const { chooseFor } = await import("./choose-checks.ts");
  const mayOffer = (command: string): boolean => deps.isInteractive() && !deps.isRefusedCheck(command);
  const chosen = await chooseFor(deps, state, history, mayOffer);
  return "checks" in chosen ? chosen : finished(taskId, state, history, chosen);
}

/** With what keeps the answer from its schema, where it has one. */
export async function finished(
  taskId: string,
  state: SessionState,
  history: History,
  result: ChecksResult,
): Promise<EventBody> {
  const schema = state.task.phase === "IDLE" ? undefined : state.task.task.input.schema;
  if (schema === undefined) return { type: "checks.finished", taskId, result };
  const { answerProblems } = await import("../structured-output/check-answer.ts");
  const answer = await answerProblems(schema, history.task?.lastText ?? "");
  return { type: "checks.finished", taskId, result, answer };
}
