// VF-7: how a task ended. Card, text, JSON, risks and exit code all derive from this.

import { exitCodeOf } from "../../contract/error.ts";
import type { ChecksResult, Outcome, StopReason, TaskSummary } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { TaskRecord } from "../../machine/history/task-record.ts";
import type { TaskCore, TaskEnd } from "../../machine/state.ts";

export interface Facts {
  readonly task: Pick<TaskCore, "input" | "checks" | "assessment" | "tookBack">;
  readonly end: TaskEnd;
  readonly record: Pick<TaskRecord, "failed" | "didAnything" | "troubles"> | undefined;
  readonly isPlanning: boolean;
  readonly changed: number;
  /** Steps of the task's plan; `null` = no plan. */
  readonly steps: { readonly open: number; readonly all: number } | null;
}

export interface Conclusion {
  readonly outcome: Outcome;
  readonly stop: StopReason;
  /** `pass` only if the outcome is VERIFIED; `fail` if a check failed, required or not. */
  readonly status: TaskSummary["verification"]["status"];
  readonly reason: string | Phrase;
  readonly checkWanted: boolean;
  readonly exitCode: number;
}

/** VERIFIED only through a passed check, never through a claim (VF-6). FAILED: the task did not finish, or a check failed. */
export function conclude(facts: Facts): Conclusion {
  const { checks } = facts.task;
  const stop = stopOf(facts);
  const isFailed = checks?.kind === "fail" && !checks.optional;
  const isOpen = (facts.steps?.open ?? 0) > 0;
  const isVerified = stop === "COMPLETED" && checks?.kind === "pass" && !isOpen;
  const outcome = isVerified ? "VERIFIED" : stop !== "COMPLETED" || isFailed ? "FAILED" : "UNVERIFIED";
  const status = isVerified ? "pass" : checks?.kind === "fail" ? "fail" : "none";
  const checkWanted = isOpen || isCheckWanted(checks);
  const ended = { outcome, stop, checkWanted } as const;
  return { ...ended, status, reason: reasonOf(facts, ended), exitCode: exitOf(facts, ended) };
}

/**
 * A denial stopped the task if nothing came of it: no file differs and nothing was done instead (for a denied write, no command can be
 * that). It did not stop a question answered another way, or a read-only task.
 */
function stopOf({ task, end, record, isPlanning, changed }: Facts): StopReason {
  if (end.stop !== "COMPLETED" || changed > 0 || task.checks?.kind === "pass") return end.stop;
  // A check refused the work, and the other way that was left for it was not taken.
  if (task.tookBack) return "BLOCKED";
  const { didAnything = false, troubles = [] } = record ?? {};
  const isKept = troubles.some(({ status, access }) => status === "denied" && access === "write");
  if (isPlanning || task.input.readOnly || !(end.denied || isKept)) return "COMPLETED";
  const { intent, foreseen = ["write"] } = task.assessment ?? {};
  const isAsked = intent === "question" || intent === "review" || (foreseen.length === 0 && !isKept);
  return isAsked && didAnything ? "COMPLETED" : "DENIED";
}

function isCheckWanted(checks: ChecksResult | null): boolean {
  return checks !== null && (checks.kind !== "none" || checks.wanted === true);
}

type Ended = Pick<Conclusion, "outcome" | "stop" | "checkWanted">;

function reasonOf({ task, changed, steps }: Facts, { outcome, stop }: Ended): string | Phrase {
  const { checks } = task;
  if (checks?.kind === "fail") return checks.error.text;
  if (task.tookBack && changed === 0 && checks?.kind === "none") return phrase("verify.taken_back");
  if (checks?.kind === "none") return checks.reason;
  if (checks === null) return phrase(changed > 0 ? "verify.ended_before" : "verify.nothing");
  if (outcome === "VERIFIED") return checks.command;
  const { open = 0, all = 0 } = stop === "COMPLETED" ? (steps ?? {}) : {};
  if (open > 0) return phrase("verify.steps_open", { done: all - open, all });
  return phrase("verify.passed_unfinished", { command: checks.command });
}

const stopExits: Readonly<Record<Exclude<StopReason, "COMPLETED">, number>> = {
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

/** SU-2. A single call of the user (`!command`, `coder tool`) passes on its own failure. */
function exitOf({ end, task, record }: Facts, { outcome, stop, checkWanted }: Ended): number {
  if (stop === "BLOCKED" && end.error) return exitCodeOf(end.error.code);
  if (stop !== "COMPLETED") return stopExits[stop];
  const failedCall = task.input.kind === "task" ? null : (record?.failed ?? null);
  // A check that said nothing about the code exits like a task without a verdict (SU-2).
  if (failedCall === "unclear") return 3;
  if (failedCall) return failedCall === "failed" ? 1 : exitCodeOf(failedCall.code);
  if (outcome === "FAILED") return 1;
  return outcome === "UNVERIFIED" && checkWanted ? 3 : 0;
}
