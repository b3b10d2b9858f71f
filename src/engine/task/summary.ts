import type { FileChange } from "../../contract/message.ts";
import type { Plan, PlanStep } from "../../contract/plan.ts";
import { visible } from "../../contract/show/visible.ts";
import type { ChecksResult, Mode, OpenQuestion, StopReason, TaskSummary } from "../../contract/task.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import { stepsLeft, stepsSkipped } from "../../machine/drive.ts";
import type { TaskRecord } from "../../machine/history/task-record.ts";
import type { SessionState, TaskCore, TaskState } from "../../machine/state.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";
import { clean } from "../call/redact.ts";
import { type Conclusion, conclude } from "./conclusion.ts";
import { isChanged, netChanges } from "./net-changes.ts";

type Summarizing = Extract<TaskState, { phase: "SUMMARIZING" }>;

/** SM-9: files, commands, verification and rollback come from the log, not from the model's text. */
export function summarize(
  state: Summarizing,
  record: TaskRecord | undefined,
  session: SessionState,
  lang: Lang,
): TaskSummary {
  const changes = record?.changes ?? [];
  // Files written by checks are undone with the task, but do not count as its work.
  const changed = changedFiles(changes.filter((one) => !record?.byChecks.has(one)));
  const { mode, plan, workspace } = session;
  const own = plan?.plan_id.endsWith(`-${state.task.id}`) ? plan : null;
  const open = stepsLeft(session);
  const { task, end } = state;
  const steps = plan && { open: open.length, all: plan.steps.length };
  const left = leftByUndo(record, lang);
  const conclusion = conclude({ task, end, record, isPlanning: mode === "plan", changed: changed.length, steps });
  return {
    changed_files: changed,
    why: record?.lastText ?? "",
    commands: record?.commands ?? [],
    verification: verificationOf(task, conclusion, lang),
    risks: [
      ...workspaceRisk(record, workspace, lang),
      ...plantedRisk(record?.planted ?? [], lang),
      ...left,
      ...(changed.length > 0 ? risksOf(conclusion, task.checks, lang) : []),
      ...(changed.length === 0 && task.tookBack ? [say(lang, phrase("verify.taken_back"))] : []),
      ...stepsSkipped(session).map((step) => skippedRisk(step, lang)),
      ...troubleRisks(record?.troubles ?? [], lang),
    ],
    rollback: rollbackOf(record, changedFiles(changes), left, lang),
    next_steps: nextSteps(state, mode, { plan, open }, lang),
    ...(own ? { plan: own } : {}),
    ...(end.blockage ? { blocked: say(lang, end.blockage.what) } : {}),
    ...(conclusion.stop === "NEEDS_ANSWER" ? { questions: questionsOf(state, record, lang) } : {}),
    outcome: conclusion.outcome,
    stop_reason: conclusion.stop,
    check_wanted: conclusion.checkWanted,
    exit_code: conclusion.exitCode,
  };
}

function verificationOf({ checks, rounds }: TaskCore, conclusion: Conclusion, lang: Lang): TaskSummary["verification"] {
  const reason = typeof conclusion.reason === "string" ? conclusion.reason : say(lang, conclusion.reason);
  const evidence = checks?.results ? { results: checks.results, attempts: rounds.length } : {};
  return { status: conclusion.status, reason, ...evidence };
}

function risksOf({ outcome }: Conclusion, checks: ChecksResult | null, lang: Lang): readonly string[] {
  const left = (checks?.left ?? []).map(({ why }) => say(lang, phrase("summary.left_risk", { why })));
  if (checks?.kind === "pass" || outcome === "VERIFIED" || (checks?.kind === "none" && checks.needless)) return left;
  if (checks?.kind === "fail") return [say(lang, phrase("summary.failed_risk", { command: checks.command })), ...left];
  // If some checks passed, the reason already names the inconclusive one.
  if (checks?.results?.some(({ ok }) => ok)) return left;
  return [say(lang, phrase("summary.unverified_risk")), ...left];
}

function skippedRisk({ id, title, reason = "" }: PlanStep, lang: Lang): string {
  return say(lang, phrase("summary.skipped_step", { id, title: reason === "" ? title : `${title} (${reason})` }));
}

/** VF-7: finished work counts, but calls that failed on the way are listed. */
function troubleRisks(troubles: TaskRecord["troubles"], lang: Lang): readonly string[] {
  return (["denied", "failed"] as const).flatMap((status) => {
    const calls = troubles.filter((one) => one.status === status).map(({ tool, about }) => `${tool} ${about}`.trim());
    if (calls.length === 0) return [];
    const shown = calls.slice(-mostNamed).map((call) => visible(clean(call)));
    const rest = calls.length > shown.length ? ["…"] : [];
    return [say(lang, phrase(`summary.${status}_call_risk`, { calls: [...rest, ...shown].join("; ") }))];
  });
}

/** Reported even if harmless: either someone tried, or a tool of the user does this regularly. */
function plantedRisk(planted: readonly string[], lang: Lang): readonly string[] {
  if (planted.length === 0) return [];
  const paths = [...new Set(planted)].slice(0, 20).map(visible).join(", ");
  return [say(lang, phrase("summary.planted_risk", { paths }))];
}

function workspaceRisk(record: TaskRecord | undefined, workspace: string, lang: Lang): readonly string[] {
  const isLost = record?.unkept.some(({ why }) => why === "workspace");
  return isLost ? [say(lang, phrase("summary.workspace_risk", { workspace: visible(workspace) }))] : [];
}

/** RB-1: says in advance how many files an undo restores. */
function rollbackOf(
  record: TaskRecord | undefined,
  changed: TaskSummary["changed_files"],
  left: Left,
  lang: Lang,
): string {
  const doubted = new Set((record?.changes ?? []).filter(({ doubt }) => doubt).map(({ path }) => path));
  const sure = changed.filter(({ path }) => !doubted.has(path)).length;
  return [...(sure > 0 ? [say(lang, phrase("summary.rollback", { n: sure }))] : []), ...left].join(" ");
}

type Left = readonly string[];

/** RB-1: names what an undo cannot restore, or will not touch. */
function leftByUndo(record: TaskRecord | undefined, lang: Lang): Left {
  const doubted = new Map(
    (record?.changes ?? [])
      .filter(({ doubt, before, after }) => doubt && !isFolderStamp(before ?? after))
      .map(({ path, doubt = "unclear" }) => [path, { path, why: phrase(`undo.why.${doubt}`) }] as const),
  );
  const lost = (record?.unkept ?? []).filter(({ why }) => why !== "others" && why !== "workspace");
  const left = [...doubted.values(), ...lost.map(({ path, why }) => ({ path, why: phrase(`undo.unkept.${why}`) }))];
  if (left.length === 0) return [];
  const named = left.slice(0, mostNamed);
  const files = named.map(({ path, why }) => say(lang, phrase("undo.file", { path: visible(clean(path)), why })));
  const rest = left.length - named.length;
  const more = rest > 0 ? [say(lang, phrase("summary.rollback_more", { n: rest }))] : [];
  return [[say(lang, phrase("summary.rollback_left", { files: files.join("; ") })), ...more].join(" ")];
}

const mostNamed = 5;

function changedFiles(changes: readonly FileChange[]): TaskSummary["changed_files"] {
  return netChanges(changes)
    .filter(isChanged)
    .map(({ path, before, after }) => ({
      path,
      change: before === null ? "create" : after === null ? "delete" : "modify",
    }));
}

/** Plan mode ends with how to carry out the plan. */
function nextSteps(
  { end, task }: Summarizing,
  mode: Mode,
  { plan, open }: { readonly plan: Plan | null; readonly open: readonly PlanStep[] },
  lang: Lang,
): readonly string[] {
  const { checks } = task;
  const isPlanned = mode === "plan" && plan && end.stop === "COMPLETED";
  const steps = [
    ...(end.note ? [say(lang, end.note)] : []),
    ...(end.blockage?.steps ?? []).map((one) => say(lang, one)),
    ...(checks?.kind === "none" && checks.advice ? [say(lang, checks.advice)] : []),
    ...(checks?.left ?? []).flatMap(({ advice }) => (advice ? [say(lang, advice)] : [])),
    ...(checks?.results ?? []).filter(({ ok, suggestion }) => !ok && suggestion).map(({ suggestion }) => suggestion),
    ...(end.stop === "COMPLETED"
      ? open.map(({ id, title }) => say(lang, phrase("summary.open_step", { id, title })))
      : []),
    ...(isPlanned ? [say(lang, phrase("run.plan_execute"))] : []),
    ...(end.blockage || isToldHow(end.stop) ? [say(lang, phrase("continue.how"))] : []),
  ];
  return [...new Set(steps)];
}

/** After a cancel, a denial or a question, the user knows how to continue. */
function isToldHow(stop: StopReason): boolean {
  return stop === "PROVIDER_FAILED" || stop === "STEP_LIMIT" || stop === "MAX_ITER" || stop === "BUDGET";
}

function questionsOf({ task }: Summarizing, record: TaskRecord | undefined, lang: Lang): readonly OpenQuestion[] {
  const words = (text: string | Phrase): string => (typeof text === "string" ? text : say(lang, text));
  const open = record?.questions ?? [];
  return (open.length > 0 ? open : (task.assessment?.missing ?? [])).map(({ question, options }) => ({
    question: words(question),
    options: options.map(words),
  }));
}
