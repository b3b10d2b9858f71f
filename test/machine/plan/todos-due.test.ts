import { expect, test } from "bun:test";
import type { Todo } from "../../../src/contract/message.ts";
import { todosDue, todosFor } from "../../../src/machine/plan/todos-due.ts";
import { makePlan } from "./make-plan.ts";

const both = new Set(["todoread", "todowrite", "bash"]);
const todo = (id: string, content: string, status: Todo["status"] = "pending"): Todo => ({
  id,
  content,
  status,
  priority: "medium",
});
const facts = { isComplex: true, isRequired: true, tools: both, todos: [], goals: [], plan: null };

test("[PL-2] goals become pending todos in their order", () => {
  expect(todosFor(["add login", "加注册"])).toEqual([todo("1", "add login"), todo("2", "加注册")]);
  expect(todosFor([])).toEqual([]);
});

test("[PL-2] plan steps become todos of the same state, at most one of them in progress", () => {
  const plan = makePlan(
    { id: "a", status: "done" },
    { id: "b", status: "in_progress" },
    { id: "c", status: "in_progress" },
  );
  const more = makePlan({ id: "d", status: "blocked" }, { id: "e", status: "skipped" }, { id: "f" });
  expect(todosFor(plan)).toEqual([todo("a", "do a", "completed"), todo("b", "do b", "in_progress"), todo("c", "do c")]);
  expect(todosFor(more)).toEqual([todo("d", "do d"), todo("f", "do f")]);
});

test("[PL-2] the enumeration comes before the plan, and without either nothing is due yet", () => {
  const plan = makePlan({ id: "a" }, { id: "b" });
  expect(todosDue({ ...facts, goals: ["x", "y"], plan })).toEqual([todo("1", "x"), todo("2", "y")]);
  expect(todosDue({ ...facts, plan })).toEqual([todo("a", "do a"), todo("b", "do b")]);
  expect(todosDue(facts)).toBeNull();
});

test("[PL-2] no list is due for a simple task, an unfinished one, without the setting, or without both tools", () => {
  const due = { ...facts, goals: ["x", "y"] };
  expect(todosDue({ ...due, isComplex: false })).toBeNull();
  expect(todosDue({ ...due, isRequired: false })).toBeNull();
  expect(todosDue({ ...due, tools: new Set(["todoread"]) })).toBeNull();
  expect(todosDue({ ...due, tools: new Map([["todowrite", 1]]) })).toBeNull();
  expect(todosDue({ ...due, todos: [todo("1", "old")] })).toBeNull();
  expect(todosDue({ ...due, todos: [todo("1", "old", "in_progress")] })).toBeNull();
  expect(todosDue({ ...due, todos: [todo("1", "old", "completed")] })?.length).toBe(2);
});
