import type { SlashCommand } from "../../engine/port.ts";
import { done, failedWith } from "../text/answer.ts";

/** PS-6: resumes interrupted work where it stopped. */
export const goOn: SlashCommand = {
  name: "continue",
  args: "",
  help: "command.continue.help",
  whileRunning: false,
  run: async (port) => {
    const continued = await port.goOn();
    return continued.ok ? done("") : failedWith(port.settings.lang, continued.error);
  },
};
