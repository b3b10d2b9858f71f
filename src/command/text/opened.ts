import { holderText } from "../../contract/store.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort, Opened } from "../../engine/port.ts";
import { done, failedWith, refused } from "./answer.ts";
import { sessionLines } from "./rows.ts";

export function openedResult(port: EnginePort, opened: Opened, wanted: string): CommandResult {
  const { lang } = port.settings;
  if (opened.ok) {
    const { id, task, mode, preset } = port.state();
    const shown = preset === null ? mode : phrase("command.status.preset", { mode, preset });
    const text = phrase("command.resume.done", { id, phase: phrase(`words.task.${task.phase}`), mode: shown });
    return done(say(lang, text), { id, phase: task.phase, mode, preset });
  }
  const { refusal } = opened;
  if (refusal.reason === "failed") return failedWith(lang, refusal.error);
  if (refusal.reason === "snapshot") {
    return refused(
      lang,
      phrase("command.resume.snapshot", { id: wanted }),
      phrase("command.resume.snapshot.advice", { id: wanted }),
    );
  }
  if (refusal.reason === "held") {
    const text = phrase("command.resume.held", { id: wanted, who: holderText(refusal.holder) });
    return failedWith(lang, { code: "E_STORE", text, advice: phrase("command.resume.held.advice") });
  }
  const alike = refusal.nearest.filter(({ id }) => id.startsWith(wanted)).map(({ id }) => id);
  const text =
    alike.length > 1
      ? phrase("command.resume.several", { id: wanted, ids: alike.join(", ") })
      : phrase("command.resume.missing", { id: wanted });
  const result = refused(lang, text, phrase("command.resume.missing.advice"));
  return refusal.nearest.length > 0
    ? { ...result, text: `${result.text}\n${sessionLines(port, refusal.nearest)}` }
    : result;
}
