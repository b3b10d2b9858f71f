import type { Effect } from "../contract/effect.ts";
import type { ErrorInfo } from "../contract/error.ts";
import type { Event, EventOf } from "../contract/event.ts";
import type { ChecksResult } from "../contract/task.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { Check, VerificationResult } from "../contract/verification.ts";
import type { Attempt, TaskCore, TaskEnd, TaskState } from "./state.ts";
import { type Step, to, unexpected } from "./step.ts";

type Verifying = Extract<TaskState, { phase: "VERIFYING" }>;
type TaskStep = Step<TaskState>;

export function toVerifying(task: TaskCore, end: TaskEnd, isAfterUndo = false): TaskStep {
  const undo = isAfterUndo ? { isAfterUndo } : {};
  return to({ phase: "VERIFYING", task, end, todo: [], results: [], ...undo }, { type: "run_checks", taskId: task.id });
}

/** Each check is a run of one call: it passes through the same pipeline and can be cancelled and resumed like any other (TP-8). */
export function reduceChecks(state: Verifying, event: Event): TaskStep {
  const waits = stageOf(state);
  switch (event.type) {
    case "checks.chosen":
      if (waits === "finishing" || event.checks.length === 0) break;
      // Checks are chosen again when a crash interrupted one, or when one needs the user's approval.
      return startCheck(state.todo.length > 0 ? again(state, event) : chosen(state, event), event.runId);
    case "check.judged":
      if (waits !== "judging") break;
      return judged(state, event);
    case "checks.finished":
      if (waits === "judging") break;
      return checked(state, event);
  }
  return unexpected(state, state.phase, event.type);
}

function chosen(state: Verifying, { checks, left = [] }: EventOf<"checks.chosen">): Verifying {
  return { ...state, todo: checks, ...(left.length > 0 ? { left } : {}) };
}

/** Keeps the chosen checks; only the files that the next one may read can grow. */
function again(state: Verifying, { checks }: EventOf<"checks.chosen">): Verifying {
  const at = state.results.length;
  const [old, next] = [state.todo[at], checks[at]];
  if (!old || !next?.shows || next.command !== old.command) return state;
  return { ...state, todo: state.todo.with(at, { ...old, shows: next.shows }) };
}

function startCheck(state: Verifying, runId: string): TaskStep {
  const task = { ...state.task, runId };
  return to({ ...state, task }, { type: "start_run", taskId: task.id, runId });
}

function judged(state: Verifying, event: EventOf<"check.judged">): TaskStep {
  const next: Verifying = { ...state, results: [...state.results, event.result] };
  return areChecksOver(next) ? to(next, ...ordersOf(next)) : startCheck(next, event.runId);
}

/** Effects while no check runs; empty when the verdict follows from the state. */
export function ordersOf(state: Verifying): readonly Effect[] {
  const { id: taskId, input } = state.task;
  switch (stageOf(state)) {
    case "choosing":
      return [{ type: "run_checks", taskId }];
    case "judging":
      return [{ type: "judge_check", taskId }];
    case "finishing":
      return input.schema === undefined ? [] : [{ type: "check_answer", taskId }];
  }
}

function stageOf({ todo, results }: Verifying): "choosing" | "judging" | "finishing" {
  if (todo.length === 0) return "choosing";
  return results.length === todo.length || isStopped({ todo, results }) ? "finishing" : "judging";
}

export function areChecksOver(state: Verifying): boolean {
  return stageOf(state) === "finishing";
}

function isStopped({ todo, results }: Pick<Verifying, "todo" | "results">): boolean {
  const last = results.at(-1);
  return last !== undefined && !last.ok && todo[results.length - 1]?.stopOnFail === true;
}

/** Any failure counts, only a test that ran is a pass, and a pass is incomplete when the plan requires a check that may not run. */
export function verdictOf({ todo, results, left }: Pick<Verifying, "todo" | "results" | "left">): ChecksResult {
  const verdict = verdictOn(todo, results);
  const needed = (left ?? []).flatMap((one) => (one.result ? [{ why: one.why, result: one.result }] : []));
  const [first] = needed;
  if (verdict.kind !== "pass" || first === undefined) return left ? { ...verdict, left } : verdict;
  const all = [...results, ...needed.map(({ result }) => result)];
  return { kind: "none", reason: first.why, wanted: true, results: all, ...(left ? { left } : {}) };
}

function verdictOn(todo: readonly Check[], results: readonly VerificationResult[]): ChecksResult {
  const failed = results.flatMap((result, at) =>
    isAboutCode(result.type) ? [{ ...result, isRequired: todo[at]?.required !== false }] : [],
  );
  const failure = failed.find(({ isRequired }) => isRequired) ?? failed[0];
  if (failure) {
    const { command, summary, isRequired } = failure;
    const error: ErrorInfo = { code: "E_BUILD_FAIL", text: phrase("check.failed", { command, summary }) };
    return { kind: "fail", command, error, results, ...(isRequired ? {} : { optional: true }) };
  }
  const open = results.find(({ ok }) => !ok);
  if (open) {
    const reason = phrase("check.unclear", { command: open.command, summary: open.summary });
    return { kind: "none", reason, wanted: true, results };
  }
  return { kind: "pass", command: todo.map(({ command }) => command).join(" && "), results };
}

function isAboutCode(type: VerificationResult["type"]): boolean {
  return type === "test_failure" || type === "lint_failure" || type === "build_failure" || type === "timeout";
}

function attemptOf(results: readonly VerificationResult[]): Attempt | null {
  const failures = results.filter(({ type }) => isAboutCode(type));
  const [first] = failures;
  if (results.length === 0) return null;
  if (first === undefined) return results.every(({ ok }) => ok) ? passed : unclear;
  const failing = failures.reduce((sum, one) => sum + failingIn(one), 0);
  return { ok: false, type: first.type, failing, fingerprint: failures.map(({ fingerprint }) => fingerprint).join() };
}

const passed: Attempt = { ok: true, type: "pass", failing: 0, fingerprint: "" };
const unclear: Attempt = { ok: false, type: "environment", failing: 0, fingerprint: "" };

function failingIn({ counts, details }: VerificationResult): number {
  return Math.max(details.length, (counts.failed ?? 0) + (counts.errors ?? 0));
}

/** Later repair attempts reuse the approval of the check instead of asking again. */
function agreedIn({ todo }: Verifying, attempt: Attempt | null): Pick<TaskCore, "agreed"> {
  const asked = todo.find(({ offer }) => offer !== undefined);
  if (!asked || attempt === null || attempt.type === "environment") return {};
  return { agreed: { command: asked.command, cwd: asked.cwd } };
}

function checked(state: Verifying, event: EventOf<"checks.finished">): TaskStep {
  if (state.task.failed) return toSummary(state.task, state.task.failed);
  if (state.isAfterUndo) return toRecovering({ ...state.task, checks: event.result }, state.end);
  const attempt = attemptOf(state.results);
  const rounds = attempt ? [...state.task.rounds, attempt] : state.task.rounds;
  const task = { ...state.task, checks: event.result, rounds, ...agreedIn(state, attempt) };
  if (event.result.kind !== "fail") return answered(task, state.end, event.answer ?? []);
  const { error, optional } = event.result;
  const { problems: _, ...rest } = task;
  const { answer = [] } = event;
  // VF-2: a failed optional check is repaired too, but does not fail the task.
  const failed = answer.length > 0 ? { ...rest, problems: answer } : rest;
  return toRecovering(failed, optional ? state.end : { stop: "BLOCKED", error, note: null });
}

function toRecovering(task: TaskCore, end: TaskEnd): TaskStep {
  return to({ phase: "RECOVERING", task, cause: "checks", end, stopping: false });
}

/** A misfit is sent back once, then it fails the task; the misfit of a review is shown, because the user reads it. */
function answered(task: TaskCore, end: TaskEnd, problems: readonly string[]): TaskStep {
  if (problems.length === 0 || end.stop !== "COMPLETED") return toSummary(task, end);
  const text = phrase("answer.unfit", { problems: problems.join("; ") });
  const error = { code: "E_BUILD_FAIL", text, advice: phrase("answer.unfit.advice"), sideEffect: "none" } as const;
  const unfit: TaskEnd = { stop: "BLOCKED", error, note: null };
  if (task.unfit) return toSummary(task, task.input.readOnly ? end : unfit);
  const next = { ...task, ...(end.denied ? { denied: true as const } : {}), unfit: problems };
  return to({ phase: "RECOVERING", task: next, cause: "answer", end: unfit, stopping: false });
}

export function toSummary(task: TaskCore, end: TaskEnd): Step<TaskState> {
  return to(
    { phase: "SUMMARIZING", task, end, cancelled: null, stopping: false },
    { type: "summarize_task", taskId: task.id },
  );
}
