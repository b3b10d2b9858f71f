import { phrase } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused } from "../text/answer.ts";

/** Without a clipboard, as in a script, the reply itself is the answer. */
export const copy: SlashCommand = {
  name: "copy",
  args: "",
  help: "command.copy.help",
  whileRunning: true,
  run: (port) => {
    const reply = port.lastReply();
    if (reply === "")
      return refused(port.settings.lang, phrase("command.copy.nothing"), phrase("command.nothing.advice"));
    return { ...done(reply, { text: reply }), copy: reply };
  },
};
