import type { Settings } from "../../contract/settings.ts";
import { plain, visible } from "../../contract/show/visible.ts";
import type { Store } from "../../contract/store.ts";
import { type PhraseArgs, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { Questions } from "../../surface/tui/app/deps.ts";
import type { Flags } from "../cli/flags.ts";

/** Asks on the first start in a moved directory. A new session there counts as an answer. Returns `false` if the user left. */
export async function askMoved(store: Store, settings: Settings, flags: Flags, ask: Questions): Promise<boolean> {
  const { workspace, lang } = settings;
  if (flags.resume === undefined && store.sessions({ workspace, limit: 1 }).length > 0) return true;
  const { movedHere, moveHere } = await import("./moved.ts");
  const moved = await movedHere(store, workspace);
  const wanted =
    flags.resume === undefined ? moved : moved.filter(({ rows }) => rows.some(({ id }) => id === flags.resume));
  if (wanted.length === 0) return true;
  const words = (key: TextKey, args?: PhraseArgs): string => plain(say(lang, phrase(key, args)));
  const from = wanted.map((one) => visible(one.from)).join(", ");
  const n = wanted.reduce((sum, { rows }) => sum + rows.length, 0);
  const options = [words("moved.yes"), words("moved.no")];
  const answer = await ask.choose(words("moved.question", { n, from }), options);
  if (answer === null) return false;
  if (answer === 1) return true;
  const { done, held } = moveHere(store, wanted, workspace);
  ask.tell(words("moved.done", { n: done.length }));
  if (held.length > 0) ask.tell(words("moved.held", { ids: held.join(", ") }));
  return true;
}
