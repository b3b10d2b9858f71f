import type { SlashCommand } from "../../engine/port.ts";
import { done, failedWith, tooMany } from "../text/answer.ts";

/** PS-6: resumes interrupted work where it stopped. */
export const goOn: SlashCommand = {
  name: "continue",
  args: "",
  help: "command.continue.help",
  whileRunning: false,
  run: async (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/continue", args, 0);
    if (extra) return extra;
    const gone = await port.goOn();
    return gone.ok ? done("") : failedWith(lang, gone.error);
  },
};
