// What the person has forbidden for the task that runs, and what a call would change about it (PL-3).
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { EventBody } from "../../contract/event.ts";
import type { Call } from "../../contract/message.ts";
import type { Plan } from "../../contract/plan.ts";
import type { AnyTool, Rewritten } from "../../contract/tool.ts";
import { isFollowed } from "../../machine/carry.ts";
import type { SessionState } from "../../machine/state.ts";
import { constraintsIn } from "../../words/constraints.ts";
import { ownWords } from "../../words/own-words.ts";

/** The plan's, among which are the person's own; without one, those alone. */
export function constraintsOf(state: SessionState): readonly string[] {
  if (isFollowed(state)) return state.plan.constraints;
  return state.task.phase === "IDLE" ? [] : (state.task.task.assessment?.constraints ?? []);
}

/** What is said while the task runs binds it like what it began with. */
export function heard(words: string): readonly EventBody[] {
  const constraints = constraintsIn(ownWords(words));
  return constraints.length === 0 ? [] : [{ type: "constraints.said", constraints }];
}

/** A plan does not talk away what the person has said. */
export function withConstraints({ task }: SessionState, plan: Plan): Plan {
  const said = (task.phase === "IDLE" ? null : task.task.assessment)?.constraints ?? [];
  const missing = said.filter((one) => !plan.constraints.includes(one));
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
    return ""; // What cannot be read has nothing public that could go.
  }
}
