import { phrase, say } from "../../contract/text/catalogue.ts";
import { themes } from "../../contract/ui.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused, tooMany } from "../text/answer.ts";

export const theme: SlashCommand = {
  name: "theme",
  args: `[${themes.join("|")}]`,
  help: "command.theme.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang, ui } = port.settings;
    const extra = tooMany(lang, "/theme", args, 1);
    if (extra) return extra;
    const names = themes.join(", ");
    const shown = (now: string) => say(lang, phrase("command.theme.is", { theme: now, themes: names }));
    const [given] = args;
    if (given === undefined) return done(shown(ui.theme), { theme: ui.theme });
    const found = themes.find((one) => one === given);
    if (!found) return refused(lang, phrase("command.theme.unknown", { given, themes: names }));
    const problem = await port.setUi({ theme: found });
    const lines = [shown(found), ...(problem ? [say(lang, phrase("command.ui.not_kept", { problem }))] : [])];
    return { ...done(lines.join("\n"), { theme: found }), ui: { theme: found } };
  },
};
