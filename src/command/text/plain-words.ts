import { type Lang, type Phrase, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { SessionState } from "../../machine/state.ts";

type Named = TextKey extends infer Key ? (Key extends `words.tool.${infer Name}` ? Name : never) : never;

const tools: Readonly<Record<Named, true>> = {
  ...{ read: true, list: true, glob: true, grep: true, write: true, edit: true, patch: true, bash: true, job: true },
  ...{ diagnostics: true, fetch: true, task: true, todoread: true, todowrite: true, plan: true, question: true },
  ...{ skill: true },
};

export function toolPhrase(name: string): Phrase | null {
  return Object.hasOwn(tools, name) ? phrase(`words.tool.${name as Named}`) : null;
}

export function doingPhrase({ task, run }: Pick<SessionState, "task" | "run">): Phrase {
  const one = phrase(`words.task.${task.phase}`);
  const isSaid = run.phase === "idle" || (task.phase !== "IDLE" && task.phase !== "EXECUTING");
  return isSaid ? one : phrase("words.both", { one, other: phrase(`words.run.${run.phase}`) });
}

export function withMore(lang: Lang, text: string, more: string): string {
  return more === "" ? text : say(lang, phrase("words.more", { text, more }));
}
