import { openedResult } from "../../../command/text/opened.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import { holderText } from "../../../contract/store.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Questions, Started } from "./deps.ts";

/** PS-6: after a provider failure the task continues unasked, because nobody decided to stop it. Everything else waits for `/continue`. */
export async function goOnAtStart(port: EnginePort): Promise<ErrorInfo | null> {
  const { task, queue, stopped } = port.state();
  if (task.phase !== "IDLE" || queue.length > 0 || stopped?.end.stop !== "PROVIDER_FAILED") return null;
  const continued = await port.goOn();
  return continued.ok ? null : continued.error;
}

type Wanted = NonNullable<Started["resume"]>;

/** The message to show; `null`: the restored history is enough. */
export async function openSession(
  port: EnginePort,
  { id, how }: Wanted,
  look: Look,
  ask: () => Promise<Questions>,
): Promise<CommandResult | null> {
  const open = { itself: port.resume, copy: port.resumeCopy, snapshot: port.restore }[how];
  const opened = await open.call(port, id);
  if (opened.ok) return port.state().tasks > 0 ? null : openedResult(port, opened, id);
  const { refusal } = opened;
  const choose = async (what: string, other: string): Promise<boolean> => {
    const question = words(look, "tui.open.ask", { what });
    return (await (await ask()).choose(question, [other, words(look, "tui.open.not")])) === 0;
  };
  if (refusal.reason === "held") {
    const held = say(look.lang, phrase("command.resume.held", { id, who: holderText(refusal.holder) }));
    const isCopy = await choose(held, words(look, "tui.open.copy"));
    return isCopy ? await openSession(port, { id, how: "copy" }, look, ask) : null;
  }
  if (refusal.reason === "snapshot") {
    const kept = say(look.lang, phrase("command.resume.snapshot", { id }));
    const isRestored = await choose(kept, words(look, "tui.open.snapshot"));
    return isRestored ? await openSession(port, { id, how: "snapshot" }, look, ask) : null;
  }
  return openedResult(port, opened, id);
}
