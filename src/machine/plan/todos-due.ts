import type { Todo } from "../../contract/message.ts";
import type { Plan, PlanStepStatus } from "../../contract/plan.ts";

export const todoStatus: Readonly<Record<PlanStepStatus, Todo["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  done: "completed",
  blocked: "pending",
  skipped: "completed",
};

/** PL-2: one todo per enumerated goal or plan step; skipped steps get none. */
export function todosFor(source: readonly string[] | Plan): Todo[] {
  if (!("steps" in source)) {
    return source.map((content, at) => ({ id: String(at + 1), content, status: "pending", priority: "medium" }));
  }
  const steps = source.steps.filter(({ status }) => status !== "skipped");
  const current = steps.findIndex(({ status }) => status === "in_progress");
  return steps.map(({ id, title, status, priority }, at) => ({
    id,
    content: title,
    // `todowrite` allows only one todo in progress (TL-4).
    status: status === "in_progress" && at !== current ? "pending" : todoStatus[status],
    priority: priority ?? "medium",
  }));
}

interface TodoFacts {
  readonly isComplex: boolean;
  /** `workflow.require_todo_for_complex` */
  readonly isRequired: boolean;
  readonly tools: ReadonlySet<string> | ReadonlyMap<string, unknown>;
  readonly todos: readonly Todo[];
  /** Goals the task enumerates; known at intake, before any plan. */
  readonly goals: readonly string[];
  readonly plan: Plan | null;
}

/** The list a task should begin with; `null` when none is due, or nothing to make it of exists yet. */
export function todosDue(facts: TodoFacts): Todo[] | null {
  const { isComplex, isRequired, tools, todos, goals, plan } = facts;
  if (!isComplex || !isRequired || !tools.has("todoread") || !tools.has("todowrite")) return null;
  if (todos.some(({ status }) => status !== "completed")) return null;
  const made = todosFor(goals.length > 1 ? goals : (plan ?? []));
  return made.length > 0 ? made : null;
}
