import { say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, failedWith } from "../text/answer.ts";

export const compact: SlashCommand = {
  name: "compact",
  args: "[focus]",
  help: "compact.help",
  whileRunning: false,
  run: async (port, args) => {
    const { lang } = port.settings;
    const made = await port.compact(args.join(" "));
    if (!made.ok) return failedWith(lang, made.error);
    const { text, compaction } = made.value;
    if (compaction === null) return done(say(lang, text), null);
    const { stage, tokensBefore: before, tokensAfter: after, dropped = 0, summary } = compaction;
    return done(say(lang, text), { stage, by: summary?.by ?? null, before, after, dropped });
  },
};
