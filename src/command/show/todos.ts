import type { Todo } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused, tooMany } from "../text/answer.ts";

const MARK = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

export const todos: SlashCommand = {
  name: "todos",
  args: "[--all]",
  help: "command.todos.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const { todos: list, leftTodos, listTask } = port.state();
    const extra = tooMany(lang, "/todos", args, 1);
    if (extra) return extra;
    if (args[0] !== undefined && args[0] !== "--all") return refused(lang, phrase("command.todos.usage"));
    const none = say(lang, phrase("command.todos.none"));
    if (args.length === 0) return done(list.length > 0 ? lines(list).join("\n") : none, list);
    const current =
      list.length > 0 ? [{ taskId: listTask?.taskId ?? "", title: listTask?.title ?? "", todos: list }] : [];
    const all = [...leftTodos, ...current];
    const text = all.flatMap(({ title, todos: its }) => [
      visible(title) || "–",
      ...lines(its).map((line) => `  ${line}`),
    ]);
    return done(all.length > 0 ? text.join("\n") : none, all);
  },
};

function lines(list: readonly Todo[]): readonly string[] {
  return list.map(({ status, content }) => `${MARK[status]} ${content}`);
}
