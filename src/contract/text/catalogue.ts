import { attachText } from "./attach.ts";
import { bashText } from "./bash.ts";
import { changesText } from "./changes.ts";
import { cliText } from "./cli.ts";
import { commandText } from "./command.ts";
import { configText } from "./config.ts";
import { contextText } from "./context.ts";
import { doctorText } from "./doctor.ts";
import { engineText } from "./engine.ts";
import { exportText } from "./export.ts";
import { fetchText } from "./fetch.ts";
import { gitText } from "./git.ts";
import { helpText } from "./help.ts";
import { mechanicText } from "./mechanic.ts";
import { modelText } from "./model.ts";
import { modelsText } from "./models.ts";
import { permissionText } from "./permission.ts";
import { plainWordsText } from "./plain-words.ts";
import { planText } from "./plan.ts";
import { policyText } from "./policy.ts";
import { readText } from "./read.ts";
import { recoveryText } from "./recovery.ts";
import { repoIndexText } from "./repo-index.ts";
import { sandboxText } from "./sandbox.ts";
import { setupText } from "./setup.ts";
import { shellText } from "./shell.ts";
import { skillText } from "./skill.ts";
import { storeText } from "./store.ts";
import { terminalText } from "./terminal.ts";
import { toolText } from "./tool.ts";
import { trustText } from "./trust.ts";
import { tuiText } from "./tui.ts";
import { tuiBlocksText } from "./tui-blocks.ts";
import { tuiPanelsText } from "./tui-panels.ts";
import { tuiPromptText } from "./tui-prompt.ts";
import { undoText } from "./undo.ts";
import { verifyText } from "./verify.ts";
import { verifyResultText } from "./verify-result.ts";
import { workflowText } from "./workflow.ts";

export const langs = ["en", "zh"] as const;
export type Lang = (typeof langs)[number];

/** One line in both languages; `{name}` marks what is filled in. */
export type Line = { readonly en: string; readonly zh: string };

/** In the order in which a run needs them: what no text is taken from is never made. */
const parts = [
  ...[recoveryText],
  ...[engineText, policyText, shellText, sandboxText, toolText, bashText, modelText, storeText, commandText],
  ...[planText, permissionText, trustText, configText, readText, cliText, helpText, exportText, doctorText],
  ...[fetchText, skillText],
  ...[verifyText, verifyResultText, undoText, workflowText, gitText, mechanicText],
  ...[contextText],
  ...[repoIndexText],
  ...[attachText],
  ...[modelsText, setupText],
  ...[tuiText],
  ...[changesText],
  ...[tuiPanelsText],
  ...[terminalText],
  ...[tuiPromptText],
  ...[tuiBlocksText],
  ...[plainWordsText],
] as const;
const made: Readonly<Record<string, Line>>[] = [];

type KeysOf<Part> = Part extends () => infer Texts ? keyof Texts : never;
export type TextKey = KeysOf<(typeof parts)[number]>;
/** A phrase inside another is put into the same language; of several each gets its own line. */
export type PhraseArgs = Readonly<Record<string, string | number | Phrase | readonly Phrase[]>>;

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
  const line = lineOf(what.key) ?? { en: what.key, zh: what.key };
  const args = what.args;
  return line[lang].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = args && Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined ? whole : words(lang, value);
  });
}

function words(lang: Lang, value: PhraseArgs[string]): string {
  if (typeof value !== "object") return String(value);
  return "key" in value ? say(lang, value) : value.map((one) => say(lang, one)).join("\n");
}

/** Those that were needed before: a screen is drawn many times a second. */
const known = new Map<string, Line>();

function lineOf(key: string): Line | undefined {
  return known.get(key) ?? foundLine(key);
}

function foundLine(key: string): Line | undefined {
  for (const [at, part] of parts.entries()) {
    made[at] ??= part();
    const line = Object.hasOwn(made[at], key) ? made[at][key] : undefined;
    if (line !== undefined) {
      known.set(key, line);
      return line;
    }
  }
  return undefined;
}

export function everyText(): Readonly<Record<string, Line>> {
  return Object.assign({}, ...parts.map((part) => part()));
}
