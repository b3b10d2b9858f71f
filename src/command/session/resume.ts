import type { SlashCommand } from "../../engine/port.ts";
import { tooMany } from "../text/answer.ts";
import { openedResult } from "../text/opened.ts";
import { sessions } from "./sessions.ts";

export const resume: SlashCommand = {
  name: "resume",
  args: "[id] [--from-snapshot]",
  help: "command.resume.help",
  whileRunning: false,
  run: async (port, args) => {
    const isRestored = args.includes("--from-snapshot");
    const words = args.filter((word) => word !== "--from-snapshot");
    const extra = tooMany(port.settings.lang, "/resume", words, 1);
    if (extra) return extra;
    const [id] = words;
    if (id !== undefined && isRestored) return openedResult(port, await port.restore(id), id);
    // Bare /resume only lists; it never switches (PS-3).
    return id === undefined ? sessions.run(port, []) : openedResult(port, await port.resume(id), id);
  },
};
