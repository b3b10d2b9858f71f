import { cliText } from "./cli/cli.ts";
import { configText } from "./cli/config.ts";
import { doctorText } from "./cli/doctor.ts";
import { exportText } from "./cli/export-texts.ts";
import { helpText } from "./cli/help.ts";
import { modelsText } from "./cli/models.ts";
import { setupText } from "./cli/setup.ts";
import { storeText } from "./cli/store-texts.ts";
import { trustText } from "./cli/trust.ts";
import { commandText } from "./engine/command.ts";
import { contextText } from "./engine/context.ts";
import { engineText } from "./engine/engine.ts";
import { mechanicText } from "./engine/mechanic.ts";
import { modelText } from "./engine/model.ts";
import { permissionText } from "./engine/permission-texts.ts";
import { plainWordsText } from "./engine/plain-words.ts";
import { planText } from "./engine/plan-texts.ts";
import { policyText } from "./engine/policy.ts";
import { recoveryText } from "./engine/recovery.ts";
import { repoIndexText } from "./engine/repo-index.ts";
import { sandboxText } from "./engine/sandbox-texts.ts";
import { verifyText } from "./engine/verify.ts";
import { verifyResultText } from "./engine/verify-result.ts";
import { workflowText } from "./engine/workflow.ts";
import { tuiBlocksText } from "./terminal/blocks.ts";
import { tuiPanelsText } from "./terminal/panels.ts";
import { tuiPromptText } from "./terminal/prompt.ts";
import { terminalText } from "./terminal/terminal.ts";
import { tuiText } from "./terminal/tui.ts";
import { attachText } from "./tool/attach.ts";
import { bashText } from "./tool/bash.ts";
import { changesText } from "./tool/changes.ts";
import { fetchText } from "./tool/fetch.ts";
import { gitText } from "./tool/git.ts";
import { readText } from "./tool/read.ts";
import { shellText } from "./tool/shell.ts";
import { skillText } from "./tool/skill-texts.ts";
import { toolText } from "./tool/tool-texts.ts";
import { undoText } from "./tool/undo-texts.ts";

export const langs = ["en", "zh"] as const;
export type Lang = (typeof langs)[number];

/** `{name}` is a placeholder. */
export type Line = { readonly en: string; readonly zh: string };

/** In the order in which a run needs them: parts are built only when a lookup reaches them. */
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
/** Nested phrases get the same language; those of a list get a line each. */
export type PhraseArgs = Readonly<Record<string, string | number | Phrase | readonly Phrase[]>>;

/** A text without language: stored in events, translated by `say` where a person or the model reads it. */
export interface Phrase {
  readonly key: TextKey;
  readonly args?: PhraseArgs;
}

export function phrase(key: TextKey, args?: PhraseArgs): Phrase {
  return args ? { key, args } : { key };
}

export function say(lang: Lang, what: Phrase): string {
  // A log of a newer version may contain an unknown key: show it as it is.
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

/** A cache: a screen is drawn many times a second. */
const known = new Map<string, Line>();

function lineOf(key: string): Line | undefined {
  const before = known.get(key);
  if (before !== undefined) return before;
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
