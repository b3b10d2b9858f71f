import type { TaskRecord } from "../context/history.ts";
import { type ErrorInfo, exitCodeOf } from "../contract/error.ts";
import type { FileChange } from "../contract/message.ts";
import type { ChecksResult, Mode, Outcome, StopReason, TaskSummary } from "../contract/task.ts";
import { type Lang, phrase, say } from "../contract/text/catalogue.ts";
import type { TaskEnd, TaskState } from "../machine/state.ts";

type Summarizing = Extract<TaskState, { phase: "SUMMARIZING" }>;

/** SM-9: files, commands, verification and rollback come from the log, not from the model's text. */
export function summarize(state: Summarizing, record: TaskRecord | undefined, mode: Mode, lang: Lang): TaskSummary {
  const changed = netChanges(record?.changes ?? []);
  const checks = state.task.checks;
  const outcome = outcomeOf(state.end, checks);
  const checkWanted = isCheckWanted(state, mode, changed);
  const failedCall = state.task.input.kind === "task" ? null : (record?.failed ?? null);
  return {
    changed_files: changed,
    why: record?.lastText ?? "",
    commands: record?.commands ?? [],
    verification: verificationOf(checks, changed.length, lang),
    risks: changed.length > 0 && outcome !== "VERIFIED" ? [say(lang, phrase("summary.unverified_risk"))] : [],
    rollback: changed.length > 0 ? say(lang, phrase("summary.rollback", { n: changed.length })) : "",
    next_steps: state.end.note ? [say(lang, state.end.note)] : [],
    outcome,
    stop_reason: state.end.stop,
    check_wanted: checkWanted,
    exit_code: exitOf(state.end, outcome, checkWanted, failedCall),
  };
}

/** A file created and deleted again is no change; the first "before" and the last "after" count. */
function netChanges(changes: readonly FileChange[]): TaskSummary["changed_files"] {
  const net = new Map<string, { path: string; before: FileChange["before"]; after: FileChange["after"] }>();
  for (const { path, real, before, after } of changes)
    net.set(real, { path, before: net.has(real) ? (net.get(real)?.before ?? null) : before, after });
  return [...net.values()]
    .filter(({ before, after }) => before?.hash !== after?.hash || before?.mode !== after?.mode)
    .map(({ path, before, after }) => ({
      path,
      change: before === null ? "create" : after === null ? "delete" : "modify",
    }));
}

/** FAILED: the task did not reach its end. VERIFIED only by a check that passed, never by a claim (VF-6). */
function outcomeOf(end: TaskEnd, checks: ChecksResult | null): Outcome {
  if (end.stop !== "COMPLETED" || checks?.kind === "fail") return "FAILED";
  return checks?.kind === "pass" ? "VERIFIED" : "UNVERIFIED";
}

const DOCUMENTS = /(^|\/)(docs|\.coder)\/|\.(md|mdx|txt|rst|adoc)$/i;

/** VF-1's conditions, as far as they do not depend on attempts. */
function isCheckWanted(state: Summarizing, mode: Mode, changed: TaskSummary["changed_files"]): boolean {
  const unattended = mode === "auto-edit" || mode === "yolo";
  return state.task.input.kind === "task" && unattended && changed.some((one) => !DOCUMENTS.test(one.path));
}

function verificationOf(checks: ChecksResult | null, changed: number, lang: Lang): TaskSummary["verification"] {
  if (checks?.kind === "pass") return { status: "pass", reason: checks.command };
  if (checks?.kind === "fail") return { status: "fail", reason: say(lang, checks.error.text) };
  const reason = checks ? checks.reason : phrase(changed > 0 ? "verify.not_available" : "verify.nothing");
  return { status: "none", reason: say(lang, reason) };
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
function exitOf(end: TaskEnd, outcome: Outcome, checkWanted: boolean, failedCall: ErrorInfo | "failed" | null): number {
  if (end.stop === "BLOCKED" && end.error) return exitCodeOf(end.error.code);
  if (end.stop !== "COMPLETED") return STOP_EXIT[end.stop];
  if (failedCall) return failedCall === "failed" ? 1 : exitCodeOf(failedCall.code);
  if (outcome === "FAILED") return 1;
  return outcome === "UNVERIFIED" && checkWanted ? 3 : 0;
}
