import { type Phrase, phrase, say } from "../contract/text/catalogue.ts";
import type { ChangePlan } from "../contract/tool.ts";
import type { PastTask, Unkept } from "../contract/undo.ts";
import { visible } from "../contract/visible.ts";
import type { Turning } from "../platform/changes/rollback-folders.ts";
import { isFolderStamp } from "../platform/files/stamp.ts";
import type { Refusal, Turn } from "./undo-file.ts";

export interface Outcome {
  readonly turns: readonly Turn[];
  readonly refused: readonly { readonly path: string; readonly why: Refusal }[];
  readonly stays: readonly string[];
  readonly unkept: readonly Unkept[];
  readonly nameOf: (turn: Turn) => string;
}

/** More names than a person reads; all of them are in the data. */
const maxNames = 100;

export function report(outcome: Outcome, chosen: readonly PastTask[], redo: boolean): { text: string; data: unknown } {
  const { turns, refused, stays, unkept, nameOf } = outcome;
  const files = turns.filter(({ now, target }) => !isFolderStamp((target ?? now)?.stamp ?? null));
  const named = (wanted: (turn: Turn) => boolean): readonly string[] => files.filter(wanted).map(nameOf);
  const merged = named(({ isMerged }) => isMerged);
  const back = named(({ isMerged, target }) => !isMerged && target !== null);
  const gone = named(({ target }) => target === null);
  const titles = chosen.map(({ title }) => `"${visible(title)}"`).toReversed();
  const text = [
    `${redo ? "redid" : "undid"} ${titles.join(", ")}`,
    ...line(redo ? "brought back" : "restored", back),
    ...line("removed", gone),
    ...line("merged with what was changed since", merged),
    ...line("folders that stay, because something else is in them", stays),
    ...(turns.length === 0 ? ["no file had to be changed: all are as they were"] : []),
    ...listed("left alone:", refusals(outcome)),
    ...listed("never kept, so still as the task left them:", unkeptPhrases(unkept)),
  ].join("\n");
  const tasks = chosen.map(({ taskId }) => taskId);
  return { text, data: { redo, tasks, restored: back, removed: gone, merged, refused, stays, unkept } };
}

/** Of the whole workspace: whose changes they were is not asked. */
export function reportAll(all: readonly Turning[], tasks: readonly string[]): Pick<ChangePlan, "text" | "data"> {
  const files = all.filter(({ now, target }) => !isFolderStamp((target ?? now)?.stamp ?? null));
  const named = (isGone: boolean): readonly string[] =>
    files.filter(({ target }) => (target === null) === isGone).map(({ path }) => path);
  const [restored, removed] = [named(false), named(true)];
  const head = "all uncommitted changes in the workspace were dropped; /redo brings them back";
  const text = [head, ...line("restored", restored), ...line("removed", removed)].join("\n");
  const nothing = { merged: [], refused: [], stays: [], unkept: [] };
  return { text, data: { redo: false, all: true, tasks, restored, removed, ...nothing } };
}

/** By name and why, one to a line. */
export function refusedText(outcome: Outcome): readonly Phrase[] {
  return [...refusals(outcome), ...unkeptPhrases(outcome.unkept)].slice(0, maxNames);
}

function refusals({ refused }: Outcome): readonly Phrase[] {
  return refused.map(({ path, why }) => phrase("undo.file", { path: visible(path), why: phrase(`undo.why.${why}`) }));
}

function unkeptPhrases(unkept: readonly Unkept[]): readonly Phrase[] {
  return unkept.map(({ path, why }) => phrase("undo.file", { path: visible(path), why: phrase(`undo.unkept.${why}`) }));
}

function line(what: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${what}: ${short(names.map(visible)).join(", ")}`];
}

function listed(head: string, phrases: readonly Phrase[]): readonly string[] {
  return phrases.length === 0 ? [] : [head, ...short(phrases.map((one) => `  ${say("en", one)}`))];
}

function short(names: readonly string[]): readonly string[] {
  return names.length <= maxNames ? names : [...names.slice(0, maxNames), `and ${names.length - maxNames} more`];
}
