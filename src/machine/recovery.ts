import type { EventOf } from "../contract/event.ts";
import type { OnFail, Rung } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { costSpent } from "./budget.ts";
import { answerInstruction, checkInstruction } from "./repair-words.ts";
import { type Attempt, coreOf, type RunState, type TaskCore, type TaskState } from "./state.ts";

type Recovering = Extract<TaskState, { phase: "RECOVERING" }>;
type Decided = Pick<EventOf<"recovery.decided">, "repairable" | "rung" | "reason" | "instruction" | "note">;

/** SM-8: the next rung if the state alone decides it. `null`: ask the engine, or wait for something to end. */
export function decideRecovery(state: Recovering, run: RunState): Decided | null {
  const { task, cause, stopping, undoing, asks } = state;
  if (stopping || undoing || asks) return null;
  const core = coreOf(run);
  const spent = core ? costSpent(core) : null;
  switch (cause) {
    case "tools":
    case "plan":
      return null;
    case "checks":
      return afterChecks(task, spent);
    case "answer":
      return spent ? { ...stop(spent), note: spent } : askedAgain(task.unfit ?? []);
    case "timeout":
      return undoesFirst(task, phrase("task.timed_out"));
    case "cancel":
      return undoesFirst(task, phrase("cancel.line1"));
    case "run":
      return stop(phrase("recovery.none"));
  }
}

/** Once: what came of it does not matter any more. */
function undoesFirst({ limits, rungs }: TaskCore, reason: Phrase): Decided {
  if (limits.undoesTries !== true || rungs.at(-1) === "rollback") return stop(reason);
  return { rung: "rollback", repairable: true, reason, instruction: "" };
}

function stop(reason: Phrase): Decided {
  return { rung: "stop", repairable: false, reason, instruction: "" };
}

function askedAgain(problems: readonly string[]): Decided {
  const instruction = answerInstruction(problems);
  return { rung: "answer", repairable: true, reason: phrase("answer.repair"), instruction };
}

function afterChecks(task: TaskCore, spent: Phrase | null): Decided {
  const { rung, reason } = afterFailedCheck(task, task.limits.onVerifyFailure ?? "keep", spent);
  const { problems, unfit } = task;
  if (rung === "stop" && spent === null && problems && !unfit) return askedAgain(problems);
  const decided = { rung, reason, repairable: rung !== "stop", instruction: checkInstruction(rung, task) };
  const note = spent ?? endedEarly(task);
  return note && rung === "stop" ? { ...decided, note } : decided;
}

/** The user allowed more checks, and is told why they were not made. */
function endedEarly({ rounds, ...task }: TaskCore): Phrase | null {
  const max = mostChecks(task);
  if (rounds.length >= max) return null;
  const stuck = rounds.map((_, at) => isStuck(rounds.slice(0, at + 1))).find((why) => why !== null);
  return stuck ? phrase("recovery.early", { n: rounds.length, max, why: stuck }) : null;
}

interface NextRung {
  readonly rung: Rung;
  readonly reason: Phrase;
}

/** How often a task may be checked. If repairs are wanted, a second approach after a rollback gets a check of its own. */
export function mostChecks({
  limits: { maxChecks = 0, endsByFacts },
  rungs,
}: Pick<TaskCore, "limits" | "rungs">): number {
  return maxChecks + (endsByFacts && maxChecks > 1 && rungs.includes("rollback") ? 1 : 0);
}

/** SM-8 for a failed check: smallest repair → rollback, if configured → one partial replan → stop. `spent`: no budget for a model. */
export function afterFailedCheck(task: TaskCore, onFail: OnFail, spent: Phrase | null = null): NextRung {
  const { rounds, rungs, checks } = task;
  const max = Math.max(1, mostChecks(task));
  const command = checks?.kind === "fail" ? checks.command : "";
  const stuck = spent ?? isStuck(rounds);
  const mayCheck = spent === null && rounds.length < max;
  const isSecondWay = rungs.includes("replan") || rungs.includes("rollback");
  if (mayCheck && stuck === null && !isSecondWay)
    return { rung: "repair", reason: phrase("recovery.repair", { command, n: rounds.length, max: max - 1 }) };
  const why = stuck ?? phrase("recovery.attempts", { command, n: rounds.length });
  // Also reverts changes made since the last rollback: no broken change may stay.
  if (onFail !== "keep" && rungs.at(-1) !== "rollback")
    return { rung: "rollback", reason: phrase("recovery.rollback", { why }) };
  if (mayCheck && !rungs.includes("replan")) return { rung: "replan", reason: phrase("recovery.replan", { why }) };
  return { rung: "stop", reason: why };
}

/** The user sets the number of repairs; it ends early only when failures repeat or keep growing. */
function isStuck(rounds: readonly Attempt[]): Phrase | null {
  const since = rounds.slice(rounds.findLastIndex(({ ok }) => ok) + 1);
  const now = since.at(-1);
  if (now === undefined) return null;
  const same = since.findIndex(({ fingerprint }) => fingerprint !== "" && fingerprint === now.fingerprint);
  if (same >= 0 && same < since.length - 1)
    return phrase("recovery.same_failure", { n: rounds.length - since.length + same + 1 });
  const [third, second] = [since.at(-3), since.at(-2)];
  if (!third || !second || !isMore(third, second) || !isMore(second, now)) return null;
  return phrase("recovery.growing", { first: third.failing, second: second.failing, now: now.failing });
}

/** Code that now builds or terminates but fails its tests is closer than before. */
function isMore(before: Attempt, now: Attempt): boolean {
  return now.failing > before.failing && (isCounted(before) || !isCounted(now));
}

/** Whether the tests ran to their end: only then is the number of failures known. */
function isCounted({ type }: Attempt): boolean {
  return type === "test_failure" || type === "lint_failure";
}

export function isBetter(rounds: readonly Attempt[]): boolean {
  const since = rounds.slice(rounds.findLastIndex(({ ok }) => ok) + 1);
  const [first, now] = [since[0], since.at(-1)];
  if (!first || !now) return false;
  return now.failing < first.failing || (!isCounted(first) && isCounted(now));
}
