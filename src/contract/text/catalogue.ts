import { bashText } from "./bash.ts";
import { cliText } from "./cli.ts";
import { commandText } from "./command.ts";
import { configText } from "./config.ts";
import { doctorText } from "./doctor.ts";
import { engineText } from "./engine.ts";
import { exportText } from "./export.ts";
import { modelText } from "./model.ts";
import { policyText } from "./policy.ts";
import { readText } from "./read.ts";
import { storeText } from "./store.ts";
import { toolText } from "./tool.ts";

export type Lang = "en" | "zh";

/** One line in both languages; `{name}` marks what is filled in. */
export type Line = { readonly en: string; readonly zh: string };

export const catalogue = {
  ...bashText,
  ...cliText,
  ...commandText,
  ...configText,
  ...doctorText,
  ...engineText,
  ...exportText,
  ...modelText,
  ...policyText,
  ...readText,
  ...storeText,
  ...toolText,
} as const satisfies Record<string, Line>;

export type TextKey = keyof typeof catalogue;
export type PhraseArgs = Readonly<Record<string, string | number>>;

/** Text before it has a language: stored in events, put into words by `say` where a person or the model reads it. */
export interface Phrase {
  readonly key: TextKey;
  readonly args?: PhraseArgs;
}

export function phrase(key: TextKey, args?: PhraseArgs): Phrase {
  return args ? { key, args } : { key };
}

export function say(lang: Lang, what: Phrase): string {
  // A log written by a newer version may hold a key this one does not know: show the key, lose nothing.
  const line: Line = catalogue[what.key] ?? { en: what.key, zh: what.key };
  const args = what.args;
  return line[lang].replace(/\{(\w+)\}/g, (whole, name: string) => (args && name in args ? String(args[name]) : whole));
}
