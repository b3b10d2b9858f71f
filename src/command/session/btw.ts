import { phrase } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, failedWith, refused } from "../text/answer.ts";

export const btw: SlashCommand = {
  name: "btw",
  args: "QUESTION",
  help: "command.btw.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang } = port.settings;
    if (args.length === 0) return refused(lang, phrase("command.btw.usage"));
    const asked = await port.aside(args.join(" "));
    if (!asked.ok) return failedWith(lang, asked.error);
    const { text, model, usage, cost } = asked.value;
    return done(text, { text, model, usage, ...(cost === undefined ? {} : { cost_micro_usd: cost }) });
  },
};
