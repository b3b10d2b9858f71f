import type { SlashCommand } from "../../engine/port.ts";

export const redo: SlashCommand = {
  name: "redo",
  args: "",
  help: "workflow.redo.help",
  whileRunning: false,
  run: () => ({ ok: true, text: "", calls: [{ tool: "undo", input: { redo: true } }] }),
};
