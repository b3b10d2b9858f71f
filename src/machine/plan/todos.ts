// PL-6: todos mirror the steps of the plan. A change to one side is applied to the other.
import { ok, type Result } from "../../contract/error.ts";
import type { Todo } from "../../contract/message.ts";
import type { Plan, PlanStep, PlanStepStatus, PlanTaken } from "../../contract/plan.ts";
import { patchPlan } from "./patch.ts";
import { isTodoList, listMark } from "./progress.ts";
import { cut, type PlanOrigin, planLimits } from "./read.ts";
import { singleStepPlan } from "./single.ts";
import { kindOf, refused, withStates } from "./take.ts";
import { todoStatus } from "./todos-due.ts";

const stepStatus: Readonly<Record<Todo["status"], PlanStepStatus>> = {
  ...{ pending: "pending", in_progress: "in_progress", completed: "done" },
};

function stepOf({ id, content, status, priority }: Todo): PlanStep {
  const bare = { description: "", intent: "", dependencies: [], tools_expected: [], expected_artifacts: [] };
  return { id, title: content, ...bare, status: stepStatus[status], rollback_hint: "", priority };
}

export function listOrigin(origin: PlanOrigin, taskId: string): PlanOrigin {
  return { ...origin, planId: `${origin.planId.slice(0, -taskId.length - 1)}${listMark}${taskId}` };
}

/** A todo list is replaced as a whole. In a real plan, missing steps are skipped, but done steps stay (PL-4). */
export function takeTodos(current: Plan | null, todos: readonly Todo[], list: PlanOrigin): Result<PlanTaken> {
  if (current === null || isTodoList(current)) {
    const plan = { ...singleStepPlan(list), steps: todos.map(stepOf) };
    return ok({ plan, change: current && kindOf(current, plan) === "status" ? "status" : "new" });
  }
  const known = new Map(current.steps.map((step) => [step.id, step]));
  const sentIds = new Set(todos.map(({ id }) => id));
  const open = todos.flatMap((todo, at) => {
    const step = known.get(todo.id);
    return step && step.status !== "done" ? [{ todo, step, at }] : [];
  });
  const patched = patchPlan(current, {
    add: todos
      .filter(({ id }) => !known.has(id))
      .map((todo) => ({ step: { ...stepOf(todo), title: cut(todo.content, planLimits.title) } })),
    change: open.map(({ todo: { id, content, priority }, step }) => ({
      ...{ id, title: content },
      ...(priority === (step.priority ?? "medium") ? {} : { priority }),
    })),
    skip: current.steps.filter(({ id, status }) => !sentIds.has(id) && status !== "done").map(({ id }) => id),
  });
  if ("problems" in patched) return refused(patched.problems);
  const moved = withStates(
    patched.plan,
    open
      .filter(({ todo, step }) => todoStatus[step.status] !== todo.status)
      .map(({ todo: { id, status }, at }) => ({ id, status: stepStatus[status], path: ["todos", at] })),
  );
  if ("problems" in moved) return refused(moved.problems);
  return ok({ plan: moved.plan, change: kindOf(current, moved.plan) });
}
