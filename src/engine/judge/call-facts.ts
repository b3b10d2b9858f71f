// What is known of a call before what it would do is judged.

import type { Call } from "../../contract/message.ts";
import type { Settings } from "../../contract/settings.ts";
import { questionsIn } from "../../machine/history/task-record.ts";
import type { SessionState } from "../../machine/state.ts";
import type { CallFacts } from "../../policy/call-verdict.ts";
import { isListed } from "../../verify/detect/whitelist.ts";
import { isReadOnly, isTyped } from "../call/tool-context.ts";
import { type CheckStanding, overBudget } from "../check/standing.ts";
import { ownCheck } from "./own-check.ts";

/** `check`: by what it runs, of one that verifies; absent = that is not known yet. */
export function callFacts(
  call: Call,
  state: SessionState,
  settings: Settings,
  { check = null, interactive }: { readonly check?: CheckStanding | null | undefined; readonly interactive: boolean },
): CallFacts {
  const { tool, access, role } = call;
  const { task } = state;
  const { workflow } = settings;
  const own = ownCheck(call, state);
  const isRun = role === "runs" || role === "checks";
  return {
    ...{ tool, access, interactive },
    isOff: settings.toolsOff.includes(tool),
    isReadOnlyRun: isReadOnly(state),
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
