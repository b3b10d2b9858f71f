import { type Mode, modes } from "../contract/task.ts";
import { phrase, say } from "../contract/text/catalogue.ts";
import type { SlashCommand } from "../engine/port.ts";
import { done, refused, tooMany } from "./answer.ts";

export const mode: SlashCommand = {
  name: "mode",
  args: "[plan|default|auto-edit|yolo]",
  help: "command.mode.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/mode", args, 1);
    if (extra) return extra;
    const [wanted] = args;
    if (wanted === undefined)
      return done(say(lang, phrase("command.mode.is", { mode: port.state().mode })), { mode: port.state().mode });
    const found = modes.find((one): one is Mode => one === wanted);
    if (!found) return refused(lang, phrase("command.mode.unknown", { given: wanted, modes: modes.join(", ") }));
    port.setMode(found);
    return done(say(lang, phrase("command.mode.is", { mode: found })), { mode: found });
  },
};
