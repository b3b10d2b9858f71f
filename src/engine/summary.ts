import type { TaskRecord } from "../context/task-record.ts";
import { exitCodeOf } from "../contract/error.ts";
import type { FileChange } from "../contract/message.ts";
import type { Plan } from "../contract/plan.ts";
import type { ChecksResult, Mode, OpenQuestion, Outcome, StopReason, TaskSummary } from "../contract/task.ts";
import { type Lang, type Phrase, phrase, say } from "../contract/text/catalogue.ts";
import { visible } from "../contract/visible.ts";
import type { SessionState, TaskCore, TaskEnd, TaskState } from "../machine/state.ts";
import { isFolderStamp } from "../platform/files/stamp.ts";
import { clean } from "./clean.ts";

type Summarizing = Extract<TaskState, { phase: "SUMMARIZING" }>;

/** SM-9: files, commands, verification and rollback come from the log, not from the model's text. */
export function summarize(
  state: Summarizing,
  record: TaskRecord | undefined,
  { mode, plan, workspace }: Pick<SessionState, "mode" | "plan" | "workspace">,
  lang: Lang,
): TaskSummary {
  const changed = netChanges(record?.changes ?? []);
  const checks = state.task.checks;
  const outcome = outcomeOf(state.end, checks);
  const checkWanted = isCheckWanted(checks);
  const failedCall = state.task.input.kind === "task" ? null : (record?.failed ?? null);
  return {
    changed_files: changed,
    why: record?.lastText ?? "",
    commands: record?.commands ?? [],
    verification: verificationOf(state.task, changed.length, lang),
    risks: [
      ...workspaceRisk(record, workspace, lang),
      ...plantedRisk(record?.planted ?? [], lang),
      ...(changed.length > 0 ? risksOf(outcome, checks, lang) : []),
    ],
    rollback: rollbackOf(record, changed, lang),
    next_steps: nextSteps(state, mode, plan, lang),
    ...(plan?.plan_id.endsWith(`-${state.task.id}`) ? { plan } : {}),
    ...(state.end.blockage ? { blocked: say(lang, state.end.blockage.what) } : {}),
    ...(state.end.stop === "NEEDS_ANSWER" ? { questions: questionsOf(state, record, lang) } : {}),
    outcome,
    stop_reason: state.end.stop,
    check_wanted: checkWanted,
    exit_code: exitOf(state.end, outcome, checkWanted, failedCall),
  };
}

function risksOf(outcome: Outcome, checks: ChecksResult | null, lang: Lang): readonly string[] {
  const left = (checks?.left ?? []).map(({ why }) => say(lang, phrase("summary.left_risk", { why })));
  if (outcome === "VERIFIED" || (checks?.kind === "none" && checks.needless)) return left;
  if (checks?.kind === "fail") return [say(lang, phrase("summary.failed_risk", { command: checks.command })), ...left];
  return [say(lang, phrase("summary.unverified_risk")), ...left];
}

/** Whatever became of it: somebody tried, or something that the person uses does so by itself. */
function plantedRisk(planted: readonly string[], lang: Lang): readonly string[] {
  if (planted.length === 0) return [];
  const paths = [...new Set(planted)].slice(0, 20).map(visible).join(", ");
  return [say(lang, phrase("summary.planted_risk", { paths }))];
}

function workspaceRisk(record: TaskRecord | undefined, workspace: string, lang: Lang): readonly string[] {
  const isLost = record?.unkept.some(({ why }) => why === "workspace");
  return isLost ? [say(lang, phrase("summary.workspace_risk", { workspace: visible(workspace) }))] : [];
}

/** RB-1: what an undo would not bring back is said before anybody relies on it. */
function rollbackOf(record: TaskRecord | undefined, changed: TaskSummary["changed_files"], lang: Lang): string {
  const doubted = new Map(
    (record?.changes ?? [])
      .filter(({ doubt, before, after }) => doubt && !isFolderStamp(before ?? after))
      .map(({ path, doubt = "unclear" }) => [path, { path, why: phrase(`undo.why.${doubt}`) }] as const),
  );
  const lost = (record?.unkept ?? []).filter(({ why }) => why !== "others" && why !== "workspace");
  const left = [...doubted.values(), ...lost.map(({ path, why }) => ({ path, why: phrase(`undo.unkept.${why}`) }))];
  const named = left
    .slice(0, mostNamed)
    .map(({ path, why }) => phrase("undo.file", { path: visible(clean(path)), why }));
  const files = named.map((one) => say(lang, one)).join("; ");
  const sure = changed.filter(({ path }) => !doubted.has(path)).length;
  const more = left.length - named.length;
  return [
    ...(sure > 0 ? [phrase("summary.rollback", { n: sure })] : []),
    ...(left.length > 0 ? [phrase("summary.rollback_left", { files })] : []),
    ...(more > 0 ? [phrase("summary.rollback_more", { n: more })] : []),
  ]
    .map((one) => say(lang, one))
    .join(" ");
}

const mostNamed = 5;

/** A file created and deleted again is no change; the first "before" and the last "after" count. */
function netChanges(changes: readonly FileChange[]): TaskSummary["changed_files"] {
  const net = new Map<string, { path: string; before: FileChange["before"]; after: FileChange["after"] }>();
  for (const { path, real, before, after } of changes)
    net.set(real, { path, before: net.has(real) ? (net.get(real)?.before ?? null) : before, after });
  return [...net.values()]
    .filter(({ before, after }) => !isFolderStamp(before ?? after))
    .filter(({ before, after }) => before?.hash !== after?.hash || before?.mode !== after?.mode)
    .map(({ path, before, after }) => ({
      path,
      change: before === null ? "create" : after === null ? "delete" : "modify",
    }));
}

/** FAILED: the task did not reach its end. VERIFIED only by a check that passed, never by a claim (VF-6). */
function outcomeOf(end: TaskEnd, checks: ChecksResult | null): Outcome {
  if (end.stop !== "COMPLETED" || (checks?.kind === "fail" && !checks.optional)) return "FAILED";
  return checks?.kind === "pass" ? "VERIFIED" : "UNVERIFIED";
}

/** Whether VF-1 called for a check. */
function isCheckWanted(checks: ChecksResult | null): boolean {
  return checks !== null && (checks.kind !== "none" || checks.wanted === true);
}

function verificationOf({ checks, rounds }: TaskCore, changed: number, lang: Lang): TaskSummary["verification"] {
  const evidence = checks?.results ? { results: checks.results, attempts: rounds.length } : {};
  if (checks?.kind === "pass") return { status: "pass", reason: checks.command, ...evidence };
  if (checks?.kind === "fail") return { status: "fail", reason: say(lang, checks.error.text), ...evidence };
  const reason = checks ? checks.reason : phrase(changed > 0 ? "verify.not_available" : "verify.nothing");
  return { status: "none", reason: say(lang, reason), ...evidence };
}

/** Plan mode ends with the plan and says how it is carried out. */
function nextSteps({ end, task }: Summarizing, mode: Mode, plan: Plan | null, lang: Lang): readonly string[] {
  const { checks } = task;
  const isPlanned = mode === "plan" && plan && end.stop === "COMPLETED";
  return [
    ...(end.note ? [say(lang, end.note)] : []),
    ...(end.blockage?.steps ?? []).map((one) => say(lang, one)),
    ...(checks?.kind === "none" && checks.advice ? [say(lang, checks.advice)] : []),
    ...(checks?.left ?? []).flatMap(({ advice }) => (advice ? [say(lang, advice)] : [])),
    ...(checks?.results ?? []).filter(({ ok, suggestion }) => !ok && suggestion).map(({ suggestion }) => suggestion),
    ...(isPlanned ? [say(lang, phrase("run.plan_execute"))] : []),
    ...(end.blockage || isToldHow(end.stop) ? [say(lang, phrase("continue.how"))] : []),
  ];
}

/** Whoever has cancelled, denied or asked knows how it goes on. */
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

const STOP_EXIT: Readonly<Record<Exclude<StopReason, "COMPLETED">, number>> = {
  STEP_LIMIT: 5,
  MAX_ITER: 5,
  BUDGET: 5,
  PROVIDER_FAILED: 7,
  CANCELLED: 130,
  NEEDS_ANSWER: 6,
  DENIED: 4,
  STORE_FAILED: 8,
  BLOCKED: 1,
};

/** SU-2. A single call asked for by the person (`!command`, `coder tool`) passes its own failure on. */
function exitOf(end: TaskEnd, outcome: Outcome, checkWanted: boolean, failedCall: TaskRecord["failed"]): number {
  if (end.stop === "BLOCKED" && end.error) return exitCodeOf(end.error.code);
  if (end.stop !== "COMPLETED") return STOP_EXIT[end.stop];
  // A check that said nothing about the code: the same as after a task (SU-2).
  if (failedCall === "unclear") return 3;
  if (failedCall) return failedCall === "failed" ? 1 : exitCodeOf(failedCall.code);
  if (outcome === "FAILED") return 1;
  return outcome === "UNVERIFIED" && checkWanted ? 3 : 0;
}
