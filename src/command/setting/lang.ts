import { type Lang, langs, phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused, tooMany } from "../text/answer.ts";

export const lang: SlashCommand = {
  name: "lang",
  args: `[${langs.join("|")}]`,
  help: "command.lang.help",
  whileRunning: true,
  run: async (port, args) => {
    const now = port.settings.lang;
    const extra = tooMany(now, "/lang", args, 1);
    if (extra) return extra;
    const all = langs.join(", ");
    const shown = (one: Lang) => say(one, phrase("command.lang.is", { lang: one, langs: all }));
    const [given] = args;
    if (given === undefined) return done(shown(now), { lang: now });
    const found = langs.find((one) => one === given);
    if (!found) return refused(now, phrase("command.lang.unknown", { given, langs: all }));
    const problem = await port.setUi({ lang: found });
    const lines = [shown(found), ...(problem ? [say(found, phrase("command.ui.not_kept", { problem }))] : [])];
    return { ...done(lines.join("\n"), { lang: found }), ui: { lang: found } };
  },
};
