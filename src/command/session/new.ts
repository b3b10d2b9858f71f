import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, tooMany } from "../text/answer.ts";
import { openedResult } from "../text/opened.ts";

export const newSession: SlashCommand = {
  name: "new",
  args: "",
  help: "command.new.help",
  whileRunning: false,
  run: async (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/new", args, 0);
    if (extra) return extra;
    const before = port.state().id;
    const opened = await port.newSession();
    if (!opened.ok) return openedResult(port, opened, before);
    const text = before ? phrase("command.new.done_from", { id: before }) : phrase("command.new.done");
    return done(say(lang, text), { previous: before || null });
  },
};
