import { ok } from "../../contract/error.ts";
import type { Todo } from "../../contract/message.ts";
import { defineTool } from "../../contract/tool.ts";
import { args } from "../args.ts";

export const todoread = defineTool({
  name: "todoread",
  description: "Show the todo list.",
  input: args({}),
  access: "read",
  afterCrash: "repeat",
  role: "lists",
  async run(_input, ctx) {
    return ok({ text: showTodos(ctx.todos()) });
  },
});

const marks: Readonly<Record<Todo["status"], string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" };

export function showTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return "(no todos)";
  return todos.map(({ id, content, status, priority }) => `${marks[status]} ${id} ${content} (${priority})`).join("\n");
}
