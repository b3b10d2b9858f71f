import { phrase, say } from "../contract/text/catalogue.ts";
import type { SlashCommand } from "../engine/port.ts";
import { done, tooMany } from "./answer.ts";

const MARK = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

export const todos: SlashCommand = {
  name: "todos",
  args: "",
  help: "command.todos.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const list = port.state().todos;
    const text =
      list.length > 0
        ? list.map((one) => `${MARK[one.status]} ${one.content}`).join("\n")
        : say(lang, phrase("command.todos.none"));
    return tooMany(lang, "/todos", args, 0) ?? done(text, list);
  },
};
