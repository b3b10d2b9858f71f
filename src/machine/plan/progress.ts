import type { Plan, PlanStep, PlanStepStatus } from "../../contract/plan.ts";

/** The plan step to work at: the one in progress, else the first whose dependencies are finished; `null` = none can start. */
export function nextStep(plan: Plan): PlanStep | null {
  const ready = plan.steps.filter((step) => unfinishedBefore(plan, step).length === 0);
  return (
    ready.find(({ status }) => status === "in_progress") ?? ready.find(({ status }) => status === "pending") ?? null
  );
}

/** Ids of what a step still waits for. A skipped step holds nobody up. */
export function unfinishedBefore(plan: Plan, step: PlanStep): readonly string[] {
  const open = new Set(
    plan.steps.filter(({ status }) => status !== "done" && status !== "skipped").map(({ id }) => id),
  );
  return step.dependencies.filter((id) => open.has(id));
}

/**
 * Steps that are neither done nor given up. Where the model never says how far it is, what it has begun counts as done, and a plan
 * of one step is the task itself.
 */
export function openSteps({ steps }: Plan, isReported: boolean): readonly PlanStep[] {
  if (!isReported && steps.length === 1) return [];
  return steps.filter(
    ({ status }) => status === "pending" || status === "blocked" || (isReported && status === "in_progress"),
  );
}

/** A done step stays done (PL-4). Only one is in progress: another that was is pending again. */
export function withStatus(plan: Plan, stepId: string, status: PlanStepStatus, reason?: string): Plan {
  const target = plan.steps.find(({ id }) => id === stepId);
  const isSame = target?.status === status && (reason === undefined || target.reason === reason);
  if (target === undefined || target.status === "done" || isSame) return plan;
  const steps = plan.steps.map((step) => {
    if (step.id === stepId) return { ...step, status, ...(reason === undefined ? {} : { reason }) };
    return status === "in_progress" && step.status === "in_progress" ? { ...step, status: "pending" as const } : step;
  });
  return { ...plan, steps };
}

/** A call as far as it says which step it belongs to. Paths are relative to the workspace. */
interface FollowedCall {
  readonly tool: string;
  readonly paths: readonly string[];
}

/**
 * Where the work stands, from a call that is about to run: one that fits the current step puts it in progress. One that
 * fits only the step after it says that the current one is done, unless the model reports that itself (`isReported`):
 * then its word alone counts.
 */
export function followPlan(plan: Plan, call: FollowedCall, isReported: boolean): Plan {
  const current = nextStep(plan);
  if (current === null) return plan;
  if (fits(plan, current, call)) return withStatus(plan, current.id, "in_progress");
  if (isReported || current.status !== "in_progress") return plan;
  const moved = withStatus(plan, current.id, "done");
  const next = nextStep(moved);
  return next !== null && fits(plan, next, call) ? withStatus(moved, next.id, "in_progress") : plan;
}

/** A file that steps name belongs to them; any other call goes by its tool. */
function fits(plan: Plan, step: PlanStep, call: FollowedCall): boolean {
  const names = (one: PlanStep): boolean =>
    one.expected_artifacts.some(({ path }) => call.paths.some((at) => isAt(at, path)));
  if (plan.steps.some(names)) return names(step);
  return step.tools_expected.length === 0 || step.tools_expected.includes(call.tool);
}

function isAt(path: string, place: string): boolean {
  const [one, other] = [path, place].map((text) => text.replace(/^\.\//, ""));
  return one === other || (one ?? "").startsWith(`${(other ?? "").replace(/\/$/, "")}/`);
}
