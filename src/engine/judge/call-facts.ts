// What the engine knows of a call: for the policy, beside what the call would do.
import type { Call } from "../../contract/message.ts";
import type { Settings } from "../../contract/settings.ts";
import type { History } from "../../machine/history/history.ts";
import { questionsIn } from "../../machine/history/task-record.ts";
import type { SessionState } from "../../machine/state.ts";
import type { CallFacts } from "../../policy/call-verdict.ts";
import { isListed } from "../../verify/detect/whitelist.ts";
import { isReadOnly, isTyped, runOf } from "../call/tool-context.ts";
import { type CheckStanding, mayByItself, overBudget } from "../check/standing.ts";
import type { Standing } from "./judge.ts";
import { ownCheck } from "./own-check.ts";

interface Gathered extends Pick<CallFacts, "interactive" | "deed"> {
  /** On what ground a call that verifies runs; absent = unknown yet. */
  readonly check?: CheckStanding | null | undefined;
}

/** What is known of a call before what it would do is judged. */
export function callFacts(
  call: Call,
  state: SessionState,
  settings: Settings,
  { check = null, interactive, deed }: Gathered,
): CallFacts {
  const { tool, access, role } = call;
  const { task } = state;
  const { workflow } = settings;
  const own = ownCheck(call, state);
  const isRun = role === "runs" || role === "checks";
  return {
    ...{ tool, access, interactive, deed },
    isOff: settings.toolsOff.includes(tool),
    isReadOnlyRun: isReadOnly(state, runOf(call)),
    questions: role === "asks" ? questionsIn(call).map(({ question }) => question) : [],
    isRollback: role === "undoes" && task.phase === "RECOVERING" && workflow.onVerifyFailure === "ask",
    refused: check?.kind === "refused" ? check.reasons : check && overBudget(state, settings),
    own: own && { ...own, isListed: isListed(own.command, workflow.verifyAllowed) },
    typed: isTyped(state)
      ? {
          isShell: task.phase !== "IDLE" && task.task.input.kind === "shell",
          isDirect: isRun && settings.shellApproval === "direct",
        }
      : null,
  };
}

/** What the session says of a call. `check`: on what ground a call that verifies runs. */
export function standingOf(call: Call, state: SessionState, history: History, check: CheckStanding | null): Standing {
  const authority = authorityOf(call, state, check);
  // A check that the person typed is not asked about for what it may run.
  const isChecked = call.role === "checks" && !isTyped(state);
  const held = check?.kind === "plain" ? { isHeld: true } : {};
  const isMadeHere = (real: string): boolean => wasMade(history, real);
  const words = call.role === "runs" ? wordsOf(state) : null;
  const tests = words === null ? {} : { words };
  return { authority, isMadeHere, ...held, ...tests, ...(isChecked ? { runsChanges: hasChanged(history) } : {}) };
}

/** The words of the task in default mode: where they ask for the tests, a command that runs them is what the person wanted (VF-1). */
function wordsOf({ mode, task }: SessionState): string | null {
  if (mode !== "default" || task.phase === "IDLE") return null;
  const { text, about = text } = task.task.input;
  return about;
}

/** Whether the task that runs created the file. */
function wasMade({ task }: History, path: string): boolean {
  return task?.changes.some(({ real, before }) => real === path && before === null) === true;
}

/** Counts every kind of file: a test runner may take documents for code too. */
function hasChanged({ tasks }: History): boolean {
  return tasks.some(({ changes, unkept }) => changes.length > 0 || unkept.length > 0);
}

/** TP-8: how the person has allowed the call already. It answers `ask`, never `deny`. */
function authorityOf(call: Call, state: SessionState, check: CheckStanding | null): string | undefined {
  // These tools are not offered to the model: the person has asked for the call, or has configured it.
  if (call.role === "undoes" || call.role === "commits") return call.tool;
  if (call.role !== "checks" || check === null || check.kind === "asked") return undefined;
  const isByUs = state.task.phase === "VERIFYING" || isTyped(state);
  return isByUs || mayByItself(state.mode) ? "verification list" : undefined;
}
