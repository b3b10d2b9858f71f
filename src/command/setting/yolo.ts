import { phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, StatePort } from "../../engine/port.ts";

/**
 * What a command that would lead into yolo says instead, once per session: `null` = it may go on. `again`: the same command as a yes. Flags
 * and a session that was left in yolo are words that the person has said already.
 */
export function yoloQuestion(port: StatePort, wanted: string | undefined, again: string): CommandResult | null {
  const { knowsYolo, mode } = port.state();
  if (wanted !== "yolo" || knowsYolo || mode === "yolo") return null;
  const { lang, sandbox } = port.settings;
  const question = say(lang, phrase(sandbox === "on" ? "command.yolo.held" : "command.yolo.free"));
  const how = say(lang, phrase("command.yolo.how", { mode, command: again }));
  return { ok: true, text: `${question}\n${how}`, data: { mode, question, yes: again }, ask: { question, yes: again } };
}
