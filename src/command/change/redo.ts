import type { SlashCommand } from "../../engine/port.ts";
import { tooMany } from "../text/answer.ts";

export const redo: SlashCommand = {
  name: "redo",
  args: "",
  help: "workflow.redo.help",
  whileRunning: false,
  run: (port, args) => {
    const calls = [{ tool: "undo", input: { redo: true } }];
    return tooMany(port.settings.lang, "/redo", args, 0) ?? { ok: true, text: "", calls };
  },
};
