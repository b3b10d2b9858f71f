import { phrase } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { refused } from "../text/answer.ts";
import { openedResult } from "../text/opened.ts";

export const fork: SlashCommand = {
  name: "fork",
  args: "",
  help: "command.fork.help",
  whileRunning: false,
  run: async (port) => {
    const { lang } = port.settings;
    const { id } = port.state();
    if (!id) return refused(lang, phrase("command.fork.nothing"), phrase("command.nothing.advice"));
    return openedResult(port, await port.resumeCopy(id), id);
  },
};
