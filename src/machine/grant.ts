import type { EventOf } from "../contract/event.ts";
import type { Grant, Listed } from "../contract/grant.ts";
import type { Plan, PlanStep } from "../contract/plan.ts";
import { openSteps } from "./plan/progress.ts";
import type { SessionState } from "./state.ts";

export function listedIn(plan: Plan): readonly Listed[] {
  return openSteps(plan).flatMap(listedBy);
}

export function listedBy({ id: step, expected_artifacts, tool_calls = [] }: PlanStep): readonly Listed[] {
  return [
    ...expected_artifacts.map(({ path, change }) => ({ kind: "file", step, path, change }) as const),
    ...tool_calls.map(({ tool, args }) => ({ kind: "call", step, tool, args }) as const),
  ];
}

/** PL-6: what approving the plan covers. Plans in old logs listed nothing. */
export function grantOfPlan({ task, grant }: SessionState, event: EventOf<"plan.answered">): Grant | null {
  const { scope, taskId } = event;
  const listed = task.phase === "AWAITING_CONFIRMATION" ? task.listed : undefined;
  if (scope === undefined || listed === undefined) return grant;
  const steps = scope === "plan" ? [...new Set(listed.map(({ step }) => step))] : [];
  return { taskId, scope, listed, steps, rules: grant?.rules ?? [] };
}

/** An approval that reaches further than its call: to the plan step, or to the same call again. */
export function grantOfCall({ task, grant }: SessionState, event: EventOf<"approval.answered">): Grant | null {
  const { scope } = event;
  if (task.phase === "IDLE" || scope === undefined || scope === "call" || scope === "typed") return grant;
  const before: Grant = grant ?? { taskId: task.task.id, scope, listed: [], steps: [], rules: [] };
  const { step, rules = [] } = event;
  const steps = step === undefined || before.steps.includes(step) ? before.steps : [...before.steps, step];
  return { ...before, steps, rules: [...before.rules, ...rules] };
}
