import type { SlashCommand } from "../../engine/port.ts";

export const pr: SlashCommand = {
  name: "pr",
  args: "",
  help: "git.pr.help",
  whileRunning: false,
  run: ({ settings: { lang } }) => ({ ok: true, text: "", calls: [{ tool: "proposal", input: { for: "pr", lang } }] }),
};
