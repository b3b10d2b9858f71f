import type { History } from "../context/history.ts";
import type { Call } from "../contract/message.ts";
import type { Settings } from "../contract/settings.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { SessionState } from "../machine/state.ts";
import { isListed, listedCommands } from "../verify/whitelist.ts";
import type { Given } from "./guard.ts";
import { isPersonsWord } from "./own-check.ts";
import { field } from "./result.ts";
import { isTyped } from "./tool-context.ts";

/** What the policy is told of a call beside the call itself. */
export function standingOf(call: Call, state: SessionState, history: History): Given {
  const authority = authorityOf(call, state);
  // What the person asks for themselves is not asked about again.
  const isChecked = call.tool === "diagnostics" && !isTyped(state);
  return { authority, ...(isChecked ? { runsChanges: hasChanged(history) } : {}) };
}

/** Of any kind: a test runner may take every file for code, documents too. */
function hasChanged({ tasks }: History): boolean {
  return tasks.some(({ changes, unkept }) => changes.length > 0 || unkept.length > 0);
}

/** TP-8: what the person has allowed already. It answers `ask`, never `deny`. */
function authorityOf(call: Call, state: SessionState): string | undefined {
  // The model is not offered it: the person has asked for it, or has configured it.
  if (call.tool === "undo" || call.tool === "commit") return call.tool;
  if (call.tool !== "diagnostics") return undefined;
  const isByUs = state.task.phase === "VERIFYING" || isTyped(state);
  const mayByItself = state.mode === "auto-edit" || state.mode === "yolo";
  return isByUs || mayByItself ? "verification list" : undefined;
}

/** The changes of a task whose check failed for good are taken back only after a word of the person's. */
export function isRollbackAsked(call: Call, { task }: SessionState, { workflow }: Settings): boolean {
  return call.tool === "undo" && task.phase === "RECOVERING" && workflow.onVerifyFailure === "ask";
}

/** VF-2: only listed commands verify, and the model has a budget of its own for them. */
export function refusedCheck(call: Call, state: SessionState, { workflow }: Settings): readonly Phrase[] | null {
  if (call.tool !== "diagnostics") return null;
  const command = field(call.input, "command");
  if (typeof command !== "string") return [phrase("check.no_command")];
  if (!isPersonsWord(call, state) && !isListed(command, workflow.verifyAllowed)) {
    const list = [...listedCommands, ...workflow.verifyAllowed].join(", ");
    return [phrase("check.not_listed", { command, list }), phrase("check.not_listed.advice")];
  }
  const isByModel = state.task.phase === "EXECUTING" || state.task.phase === "PLANNING";
  if (isByModel && !isTyped(state) && state.checksRun >= workflow.maxDiagnostics)
    return [phrase("check.budget", { n: workflow.maxDiagnostics })];
  return null;
}
