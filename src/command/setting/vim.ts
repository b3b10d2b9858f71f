import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused, tooMany } from "../text/answer.ts";

export const vim: SlashCommand = {
  name: "vim",
  args: "[on|off]",
  help: "command.vim.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang, ui } = port.settings;
    const extra = tooMany(lang, "/vim", args, 1);
    if (extra) return extra;
    const [given] = args;
    if (given !== undefined && given !== "on" && given !== "off") return refused(lang, phrase("command.vim.usage"));
    const isOn = given === undefined ? !ui.vim : given === "on";
    const problem = await port.setUi({ vim: isOn });
    const lines = [
      phrase(isOn ? "command.vim.on" : "command.vim.off"),
      ...(problem ? [phrase("command.ui.not_kept", { problem })] : []),
    ];
    return { ...done(lines.map((one) => say(lang, one)).join("\n"), { vim: isOn }), ui: { vim: isOn } };
  },
};
