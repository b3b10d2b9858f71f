import type { SubKind } from "../contract/event.ts";
import type { ToolSpec } from "../contract/message.ts";
import type { SubJob } from "../machine/history/entry.ts";
import { aloneHint, modeHint } from "./system.ts";

const HEAD =
  "You are a sub-agent: another agent, which works for the person, hands you the job below. It sees nothing of your work but your last message, so put everything it needs into that: findings as path:line, what you changed, what you could not do. Do this job and nothing beside it; you cannot ask anybody.";

const KINDS: Readonly<Record<SubKind, string>> = {
  explore: "You can look, and change or run nothing.",
  general: "What you change is checked after the other agent has finished.",
};
const NO_WRITING =
  "You may not change files, nor run commands that do: such calls are denied. Look, and say what would have to be changed.";

export function subPrompt({ sub: { kind, prompt }, mayWrite }: SubJob): string {
  const can = mayWrite || kind === "explore" ? KINDS[kind] : NO_WRITING;
  return `${HEAD} ${can}\n\nThe job:\n${prompt}`;
}

/** Keeps the parent task's time and place, which come before its mode. A plan or answer schema concerns only the parent. */
export function subHints({ hints, mode }: SubJob): string {
  const end = hints.search(/^mode: /m);
  return `${end === -1 ? "" : hints.slice(0, end)}${modeHint(mode, hints.includes(aloneHint))}`;
}

const lookers: ReadonlySet<string> = new Set(["read", "list", "glob", "grep"]);
/** Tools for the task as a whole, or for talking to the user. */
const outers: ReadonlySet<string> = new Set(["task", "todoread", "todowrite", "plan", "question"]);

export function isForSub({ name }: Pick<ToolSpec, "name">, kind: SubKind): boolean {
  return kind === "explore" ? lookers.has(name) : !outers.has(name);
}
