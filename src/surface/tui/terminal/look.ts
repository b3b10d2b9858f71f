import { plain } from "../../../contract/show/visible.ts";
import { type Lang, type PhraseArgs, phrase, say, type TextKey } from "../../../contract/text/catalogue.ts";
import type { Theme } from "./theme.ts";

export interface Look {
  readonly theme: Theme;
  readonly lang: Lang;
  readonly width: () => number;
}

/** A text of the catalogue in the user's language, safe to write. */
export function words(look: Pick<Look, "lang">, key: TextKey, args?: PhraseArgs): string {
  return plain(say(look.lang, phrase(key, args)));
}
