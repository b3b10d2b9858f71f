import { fail, ok } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool } from "../../contract/tool.ts";
import { args, listOf, object, oneOf, text } from "../args.ts";
import { showTodos } from "./todoread.ts";

const maxTodos = 50;

export const todowrite = defineTool({
  name: "todowrite",
  description:
    "Replace the whole todo list. At most one item is in_progress; ids are unique. With a plan there, its items are the plan's steps.",
  input: args({
    todos: listOf(
      object({
        id: text("", { min: 1 }),
        content: text("", { min: 1 }),
        status: oneOf(["pending", "in_progress", "completed"]),
        priority: oneOf(["high", "medium", "low"]),
      }),
      maxTodos,
    ),
  }),
  access: "session",
  afterCrash: "repeat",
  role: "lists",
  async run({ todos }, ctx) {
    const ids = todos.map(({ id }) => id);
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
    if (repeated !== undefined) return fail("E_INVALID_ARGS", phrase("todo.same_id", { id: repeated }));
    const active = todos.filter(({ status }) => status === "in_progress").length;
    if (active > 1) return fail("E_INVALID_ARGS", phrase("todo.two_in_progress", { count: active }));
    if (ctx.takeTodos === undefined) return ok({ text: showTodos(todos), todos });
    const plan = await ctx.takeTodos(todos);
    return plan.ok ? ok({ text: showTodos(plan.value.todos), todos: plan.value.todos, plan: plan.value }) : plan;
  },
});
