import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, failedWith, refused } from "../text/answer.ts";

export const rename: SlashCommand = {
  name: "rename",
  args: "TITLE",
  help: "command.rename.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang } = port.settings;
    if (args.length === 0) return refused(lang, phrase("command.rename.empty"));
    const renamed = await port.rename(args.join(" "));
    if (!renamed.ok) return failedWith(lang, renamed.error);
    return done(say(lang, phrase("command.rename.done", { title: renamed.value })), { title: renamed.value });
  },
};
