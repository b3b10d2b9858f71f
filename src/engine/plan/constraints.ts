// PL-3: what the user forbade for the running task, and the text that a call would rewrite.
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { EventBody } from "../../contract/event.ts";
import type { Call } from "../../contract/message.ts";
import type { Plan } from "../../contract/plan.ts";
import type { AnyTool, Rewritten } from "../../contract/tool.ts";
import { isFollowed } from "../../machine/carry.ts";
import { currentTask, type SessionState } from "../../machine/state.ts";
import { constraintsIn } from "../../words/constraints.ts";
import { ownWords } from "../../words/own-words.ts";

/** The followed plan includes the user's own constraints. */
export function constraintsOf(state: SessionState): readonly string[] {
  if (isFollowed(state)) return state.plan.constraints;
  return currentTask(state)?.assessment?.constraints ?? [];
}

/** Words during a task bind it like its first input. */
export function heard(words: string): readonly EventBody[] {
  const constraints = constraintsIn(ownWords(words));
  return constraints.length === 0 ? [] : [{ type: "constraints.said", constraints }];
}

/** A plan cannot drop the user's constraints. */
export function withConstraints(state: SessionState, plan: Plan): Plan {
  const constraints = currentTask(state)?.assessment?.constraints ?? [];
  const missing = constraints.filter((one) => !plan.constraints.includes(one));
  return missing.length === 0 ? plan : { ...plan, constraints: [...plan.constraints, ...missing] };
}

const biggest = 1024 * 1024;

export function rewrittenBy({ input }: Call, { rewrites }: AnyTool, workspace: string): readonly Rewritten[] {
  return rewrites?.(input as never, (path) => contentOf(resolve(workspace, path))) ?? [];
}

function contentOf(path: string): string {
  try {
    return statSync(path).size > biggest ? "" : readFileSync(path, "utf8");
  } catch {
    return ""; // An unreadable file has no public text to lose.
  }
}
