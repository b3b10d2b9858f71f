import type { SlashCommand } from "../../engine/port.ts";
import { tooMany } from "../text/answer.ts";

export const pr: SlashCommand = {
  name: "pr",
  args: "",
  help: "git.pr.help",
  whileRunning: false,
  run: ({ settings: { lang } }, args) => {
    const calls = [{ tool: "proposal", input: { for: "pr", lang } }];
    return tooMany(lang, "/pr", args, 0) ?? { ok: true, text: "", calls };
  },
};
