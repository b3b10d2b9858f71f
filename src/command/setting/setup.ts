import { phrase } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { refused } from "../text/answer.ts";

/** The terminal application asks the questions itself. */
export const setup: SlashCommand = {
  name: "setup",
  args: "[provider/model]",
  help: "command.setup.help",
  whileRunning: false,
  run: ({ settings: { lang } }) => refused(lang, phrase("setup.no_terminal"), phrase("session.no_model.advice")),
};
