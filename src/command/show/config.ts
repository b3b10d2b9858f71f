import type { SlashCommand } from "../../engine/port.ts";
import { done, failedWith, tooMany } from "../text/answer.ts";

export const config: SlashCommand = {
  name: "config",
  args: "[key]",
  help: "command.config.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/config", args, 1);
    if (extra) return extra;
    const found = await port.about.config(args[0] ?? null);
    return found.ok ? done(found.value.text, found.value.data) : failedWith(lang, found.error);
  },
};
