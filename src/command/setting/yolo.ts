import { phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, StatePort } from "../../engine/port.ts";

/**
 * The question that a command asks before it switches to yolo, once per session; `null` when there is nothing to ask. `again` is the
 * command that means yes. A flag, or a session that was left in yolo, counts as a yes.
 */
export function yoloQuestion(port: StatePort, wanted: string | undefined, again: string): CommandResult | null {
  const { knowsYolo, mode } = port.state();
  if (wanted !== "yolo" || knowsYolo || mode === "yolo") return null;
  const { lang, sandbox } = port.settings;
  const question = say(lang, phrase(sandbox === "on" ? "command.yolo.held" : "command.yolo.free"));
  const how = say(lang, phrase("command.yolo.how", { mode, command: again }));
  return { ok: true, text: `${question}\n${how}`, data: { mode, question, yes: again }, ask: { question, yes: again } };
}
