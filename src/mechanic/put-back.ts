import { phrase } from "../contract/text/catalogue.ts";
import type { Ask, Play } from "./play.ts";
import { type Facts, say } from "./words.ts";

/** Reverts changes; `null` on success, else the final text: the user must learn that a file still differs. */
export function* putBack(facts: Facts, asks: readonly Ask[]): Play<string | null> {
  const undone = asks.length === 0 ? [] : yield* undoneOf(say(facts, phrase("mechanic.puts_back")), asks);
  // Somebody else changed the file meanwhile: read it again, because our own change may still be revertible.
  const again = undone.filter(({ why }) => why.startsWith("E_CONFLICT")).map(({ ask }) => ask);
  const read = again.map(({ input }) => ({ tool: "read", input: { path: input.path } }));
  if (again.length > 0) yield { text: "", asks: read };
  const left = [
    ...undone.filter(({ ask }) => !again.includes(ask)),
    ...(again.length === 0 ? [] : yield* undoneOf("", again)),
  ].map(({ ask, why }) => `${ask.input.path}: ${why.slice(0, 300)}`);
  return left.length === 0 ? null : say(facts, phrase("mechanic.not_put_back", { list: left.join("\n") }));
}

function* undoneOf(text: string, asks: readonly Ask[]): Play<readonly { readonly ask: Ask; readonly why: string }[]> {
  let answers = yield { text, asks };
  // The stop arrived at this step, but reverting has to happen anyway.
  if (answers === "stop") answers = yield { text, asks };
  return asks.flatMap((ask, at) => {
    const answer = answers === "stop" ? undefined : answers[at];
    return answer?.error === null ? [] : [{ ask, why: answer?.text ?? "" }];
  });
}
