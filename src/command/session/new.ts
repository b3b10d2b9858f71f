import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";
import { openedResult } from "../text/opened.ts";

export const newSession: SlashCommand = {
  name: "new",
  args: "",
  help: "command.new.help",
  whileRunning: false,
  run: async (port) => {
    const before = port.state().id;
    const opened = await port.newSession();
    if (!opened.ok) return openedResult(port, opened, before);
    const text = before ? phrase("command.new.done_from", { id: before }) : phrase("command.new.done");
    return done(say(port.settings.lang, text), { previous: before || null });
  },
};
