import { type Mode, modes } from "../../contract/task.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { EnginePort, SlashCommand } from "../../engine/port.ts";
import { done, refused, tooMany } from "../text/answer.ts";
import { yoloQuestion } from "./yolo.ts";

export const mode: SlashCommand = {
  name: "mode",
  args: "[plan|default|auto-edit|yolo]",
  help: "command.mode.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const [wanted, answer] = args;
    const isYes = wanted === "yolo" && answer === "yes";
    const extra = tooMany(lang, "/mode", args, isYes ? 2 : 1);
    if (extra) return extra;
    const { mode: now } = port.state();
    if (wanted === undefined) return done(say(lang, phrase("command.mode.is", { mode: now })), { mode: now });
    const found = modes.find((one): one is Mode => one === wanted);
    if (!found) return refused(lang, phrase("command.mode.unknown", { given: wanted, modes: modes.join(", ") }));
    const asked = isYes ? null : yoloQuestion(port, found, "/mode yolo yes");
    return asked ?? done(switchMode(port, found), { mode: found });
  },
};

export function switchMode(port: EnginePort, wanted: Mode): string {
  port.setMode(wanted);
  return say(port.settings.lang, phrase("command.mode.is", { mode: wanted }));
}
