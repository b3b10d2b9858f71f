import type { SlashCommand } from "../../engine/port.ts";

export const quit: SlashCommand = {
  name: "quit",
  args: "",
  help: "command.quit.help",
  whileRunning: true,
  run: () => ({ ok: true, text: "", quit: true }),
};
