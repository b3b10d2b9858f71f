import type { FileChange } from "../../contract/message.ts";
import type { Plan, PlanStep, PlanStepStatus } from "../../contract/plan.ts";

/** The step to work on: the one in progress, else the first whose dependencies are finished; `null` = none can start. */
export function nextStep(plan: Plan): PlanStep | null {
  const ready = plan.steps.filter((step) => unfinishedBefore(plan, step).length === 0);
  return (
    ready.find(({ status }) => status === "in_progress") ?? ready.find(({ status }) => status === "pending") ?? null
  );
}

/** Ids of unfinished dependencies. A skipped step blocks nothing. */
export function unfinishedBefore(plan: Plan, step: PlanStep): readonly string[] {
  const open = openSteps(plan).map(({ id }) => id);
  return step.dependencies.filter((id) => open.includes(id));
}

/** A done step stays done (PL-4). Only one step is in progress: a previous one becomes pending again. */
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

export const listMark = "-todos-";

/** A plan that is only a todo list: the next list replaces it as a whole (TL-4), and so does a real plan. */
export function isTodoList({ plan_id }: Plan): boolean {
  return plan_id.includes(listMark);
}

export function openSteps(plan: Plan): readonly PlanStep[] {
  return plan.steps.filter(({ status }) => status !== "done" && status !== "skipped");
}

/** PL-6: puts the due step in progress. */
export function advance(plan: Plan): Plan {
  const due = nextStep(plan);
  return due === null ? plan : withStatus(plan, due.id, "in_progress");
}

/** Keys of expected files that were seen created, modified or deleted as planned. */
export type Made = readonly string[];

/** Each change counts for the first open step that names the file and still misses it. A reversed change counts no more. */
export function noteMade(plan: Plan, made: Made, changes: readonly FileChange[]): Made {
  let all = made;
  const keysOf = (fits: (artifact: Artifact) => boolean): readonly string[] =>
    openSteps(plan).flatMap((step) => step.expected_artifacts.filter(fits).map((one) => keyOf(step, one)));
  for (const change of changes) {
    const undone = keysOf((one) => isUnmadeBy(one, change)).filter((key) => all.includes(key));
    if (undone.length > 0) all = all.filter((key) => !undone.includes(key));
    const fresh = keysOf((one) => isMadeBy(one, change)).find((key) => !all.includes(key));
    if (fresh !== undefined) all = [...all, fresh];
  }
  return all;
}

export function withMade(plan: Plan, made: Made): Plan {
  const due = nextStep(plan);
  if (due === null || due.expected_artifacts.length === 0 || isMissing(due, made)) return plan;
  return withMade(advance(withStatus(plan, due.id, "done")), made);
}

export function isMissing(step: PlanStep, made: Made): boolean {
  return step.expected_artifacts.some((one) => !made.includes(keyOf(step, one)));
}

/** A later step has begun although the due one is neither reported nor complete. */
export function isOvertaken(plan: Plan, due: PlanStep, made: Made): boolean {
  return openSteps(plan).some(
    (step) => step.id !== due.id && step.expected_artifacts.some((one) => made.includes(keyOf(step, one))),
  );
}

type Artifact = PlanStep["expected_artifacts"][number];

function keyOf({ id }: PlanStep, { path }: Artifact): string {
  return `${id} ${path}`;
}

function isMadeBy(artifact: Artifact, { path, real, after }: FileChange): boolean {
  if ((artifact.change === "delete") !== (after === null)) return false;
  return isAt(path, artifact.path) || isAt(real, artifact.path);
}

/** Deleting one file of a directory does not delete the directory. */
function isUnmadeBy(artifact: Artifact, { path, real, after }: FileChange): boolean {
  if ((artifact.change === "delete") === (after === null)) return false;
  return [path, real].some((one) => withoutDot(one) === withoutDot(artifact.path));
}

function isAt(path: string, place: string): boolean {
  const [one, other] = [withoutDot(path), withoutDot(place)];
  return one === other || one.startsWith(`${other.replace(/\/$/, "")}/`);
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
