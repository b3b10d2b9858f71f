import { plain } from "../../../contract/show/visible.ts";
import { type Lang, type PhraseArgs, phrase, say, type TextKey } from "../../../contract/text/catalogue.ts";
import type { Theme } from "./theme.ts";

/** How things are drawn: colours, words and the width there is. */
export interface Look {
  readonly theme: Theme;
  readonly lang: Lang;
  /** Columns of the terminal, now. */
  readonly width: () => number;
}

/** Words of the catalogue in the person's language, safe to be written. */
export function words(look: Pick<Look, "lang">, key: TextKey, args?: PhraseArgs): string {
  return plain(say(look.lang, phrase(key, args)));
}
