import type { SlashCommand } from "../engine/port.ts";
import { tooMany } from "./answer.ts";
import { openedResult } from "./opened.ts";
import { sessions } from "./sessions.ts";

export const resume: SlashCommand = {
  name: "resume",
  args: "[id]",
  help: "command.resume.help",
  whileRunning: false,
  run: async (port, args) => {
    const extra = tooMany(port.settings.lang, "/resume", args, 1);
    if (extra) return extra;
    const [id] = args;
    // Bare /resume only lists: it never switches (PS-3).
    return id === undefined ? sessions.run(port, []) : openedResult(port, await port.resume(id), id);
  },
};
