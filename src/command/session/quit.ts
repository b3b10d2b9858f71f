import type { SlashCommand } from "../../engine/port.ts";
import { tooMany } from "../text/answer.ts";

export const quit: SlashCommand = {
  name: "quit",
  args: "",
  help: "command.quit.help",
  whileRunning: true,
  run: (port, args) => tooMany(port.settings.lang, "/quit", args, 0) ?? { ok: true, text: "", quit: true },
};
