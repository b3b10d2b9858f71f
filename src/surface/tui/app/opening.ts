// A session is opened; where it cannot be as it was meant, the person chooses what else to do.
import { openedResult } from "../../../command/text/opened.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import { holderText } from "../../../contract/store.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Questions, Started } from "./deps.ts";

/** PS-6: a failure was nobody's decision, so that nobody has to be asked. What else has stopped, `/continue` lets go on. */
export async function goOnAtStart(port: EnginePort): Promise<ErrorInfo | null> {
  const { task, queue, stopped } = port.state();
  if (task.phase !== "IDLE" || queue.length > 0 || stopped?.end.stop !== "PROVIDER_FAILED") return null;
  const gone = await port.goOn();
  return gone.ok ? null : gone.error;
}

type Wanted = NonNullable<Started["resume"]>;

/** What is to be said about it; `null` = what is in it says enough. */
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
