import { phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, StatePort } from "../../engine/port.ts";

/** The question before a command switches to yolo, asked once per session; `null`: none. `again` is the command that means yes. */
export function yoloQuestion(port: StatePort, wanted: string | undefined, again: string): CommandResult | null {
  const { knowsYolo, mode } = port.state();
  if (wanted !== "yolo" || knowsYolo || mode === "yolo") return null;
  const { lang, sandbox } = port.settings;
  const question = say(lang, phrase(sandbox === "on" ? "command.yolo.held" : "command.yolo.free"));
  const how = say(lang, phrase("command.yolo.how", { mode, command: again }));
  return { ok: true, text: `${question}\n${how}`, data: { mode, question, yes: again }, ask: { question, yes: again } };
}
