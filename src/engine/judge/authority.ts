import type { Call } from "../../contract/message.ts";
import type { History } from "../../machine/history/history.ts";
import type { SessionState } from "../../machine/state.ts";
import { isTyped } from "../call/tool-context.ts";
import { type CheckStanding, mayByItself } from "../check/standing.ts";
import type { Given } from "./guard.ts";

/** What the policy is told of a call beside the call itself. `check`: by what it runs, of one that verifies. */
export function standingOf(call: Call, state: SessionState, history: History, check: CheckStanding | null): Given {
  const authority = authorityOf(call, state, check);
  // What the person asks for themselves is not asked about again.
  const isChecked = call.role === "checks" && !isTyped(state);
  const held = check?.kind === "plain" ? { isHeld: true } : {};
  const isMadeHere = (real: string): boolean => wasMade(history, real);
  const words = call.role === "runs" ? wordsOf(state) : null;
  const tests = words === null ? {} : { words };
  return { authority, isMadeHere, ...held, ...tests, ...(isChecked ? { runsChanges: hasChanged(history) } : {}) };
}

/** What the person has said in default mode, where it may ask for the tests: whoever runs them by hand does what they wanted (VF-1). */
function wordsOf({ mode, task }: SessionState): string | null {
  if (mode !== "default" || task.phase === "IDLE") return null;
  const { text, about = text } = task.task.input;
  return about;
}

/** By a call of the task that runs, in a place where nothing was. */
function wasMade({ task }: History, path: string): boolean {
  return task?.changes.some(({ real, before }) => real === path && before === null) === true;
}

/** Of any kind: a test runner may take every file for code, documents too. */
function hasChanged({ tasks }: History): boolean {
  return tasks.some(({ changes, unkept }) => changes.length > 0 || unkept.length > 0);
}

/** TP-8: what the person has allowed already. It answers `ask`, never `deny`. */
function authorityOf(call: Call, state: SessionState, check: CheckStanding | null): string | undefined {
  // The model is not offered it: the person has asked for it, or has configured it.
  if (call.role === "undoes" || call.role === "commits") return call.tool;
  if (call.role !== "checks" || check === null || check.kind === "asked") return undefined;
  const isByUs = state.task.phase === "VERIFYING" || isTyped(state);
  return isByUs || mayByItself(state.mode) ? "verification list" : undefined;
}
