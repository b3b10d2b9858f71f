import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { ChangePlan } from "../../contract/tool.ts";
import type { PastTask, Unkept } from "../../contract/undo.ts";
import type { Turning } from "../../platform/changes/rollback-folders.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";
import type { LeftAlone, PathUndo } from "./path-undo.ts";

export interface Outcome {
  readonly undos: readonly PathUndo[];
  readonly refused: readonly { readonly path: string; readonly why: LeftAlone }[];
  readonly stays: readonly string[];
  readonly unkept: readonly Unkept[];
  readonly nameOf: (undo: PathUndo) => string;
}

const maxNames = 100;

interface Undoing {
  readonly chosen: readonly PastTask[];
  readonly all: readonly PastTask[];
  readonly redo: boolean;
  readonly since?: string;
}

type Report = Pick<ChangePlan, "text" | "data">;

export function report(outcome: Outcome, { chosen, all, redo, since }: Undoing): Report {
  const { undos, refused, stays, unkept, nameOf } = outcome;
  const files = undos.filter(({ now, target }) => !isFolderStamp((target ?? now)?.stamp ?? null));
  const named = (wanted: (undo: PathUndo) => boolean): readonly string[] => files.filter(wanted).map(nameOf);
  const merged = named(({ isMerged }) => isMerged);
  const back = named(({ isMerged, target }) => !isMerged && target !== null);
  const gone = named(({ target }) => target === null);
  const undone = since === undefined ? chosen : chosen.filter(({ kind }) => kind === "task");
  const titles = undone.flatMap((task) => titlesOf(task, all)).toReversed();
  const { others = [], ours = [] } = Object.groupBy(unkept, ({ why }) => (why === "others" ? "others" : "ours"));
  const lines = [
    phrase(redo ? "undo.did.redo" : "undo.did", { titles: titles.join(", ") }),
    ...line(redo ? "undo.did.brought" : "undo.did.restored", back),
    ...line("undo.did.removed", gone),
    ...line("undo.did.merged", merged),
    ...line("undo.did.stays", stays),
    ...(undos.length === 0 ? [phrase("undo.did.nothing")] : []),
    ...listed("undo.did.left", refusals(outcome, "undo.did.file")),
    ...(refused.some(({ why }) => why === "unclear") ? [phrase("undo.did.unclear")] : []),
    ...listed("undo.did.unkept", unkeptPhrases(ours, "undo.did.file")),
    ...listed("undo.did.others", unkeptPhrases(others, "undo.did.file")),
  ];
  const tasks = chosen.map(({ taskId }) => taskId);
  const from = since === undefined ? {} : { since };
  return asReport(lines, { redo, ...from, tasks, restored: back, removed: gone, merged, refused, stays, unkept });
}

/** An undo is titled after the tasks it undid, or else after its call. */
function titlesOf({ title, undoes = [] }: PastTask, all: readonly PastTask[]): readonly string[] {
  const undone = all.filter(({ taskId }) => undoes.includes(taskId)).map((task) => task.title);
  const titles = undone.length > 0 ? undone : [title.replace(/^(undo|redo) \{.*\}$/, "$1")];
  return titles.map((one) => `"${visible(one)}"`);
}

export function reportAll(all: readonly Turning[], tasks: readonly string[]): Report {
  const files = all.filter(({ now, target }) => !isFolderStamp((target ?? now)?.stamp ?? null));
  const named = (isGone: boolean): readonly string[] =>
    files.filter(({ target }) => (target === null) === isGone).map(({ path }) => path);
  const [restored, removed] = [named(false), named(true)];
  const lines = [phrase("undo.did.all"), ...line("undo.did.restored", restored), ...line("undo.did.removed", removed)];
  const nothing = { merged: [], refused: [], stays: [], unkept: [] };
  return asReport(lines, { redo: false, all: true, tasks, restored, removed, ...nothing });
}

/** English text for the model, phrases for people in their language. */
function asReport(phrases: readonly Phrase[], data: object): Report {
  return { text: phrases.map((one) => say("en", one)).join("\n"), data: { ...data, said: phrases } };
}

export function refusedText(outcome: Outcome): readonly Phrase[] {
  return [...refusals(outcome), ...unkeptPhrases(outcome.unkept)].slice(0, maxNames);
}

function refusals({ refused }: Outcome, key: TextKey = "undo.file"): readonly Phrase[] {
  return refused.map(({ path, why }) => phrase(key, { path: visible(path), why: phrase(`undo.why.${why}`) }));
}

function unkeptPhrases(unkept: readonly Unkept[], key: TextKey = "undo.file"): readonly Phrase[] {
  return unkept.map(({ path, why }) => phrase(key, { path: visible(path), why: phrase(`undo.unkept.${why}`) }));
}

function line(key: TextKey, names: readonly string[]): readonly Phrase[] {
  if (names.length === 0) return [];
  const files = names.slice(0, maxNames).map(visible).join(", ");
  const more = names.length - maxNames;
  return [phrase(key, { files: more > 0 ? phrase("undo.did.more", { files, n: more }) : files })];
}

function listed(key: TextKey, phrases: readonly Phrase[]): readonly Phrase[] {
  if (phrases.length === 0) return [];
  const more = phrases.length - maxNames;
  return [
    phrase(key),
    ...phrases.slice(0, maxNames),
    ...(more > 0 ? [phrase("undo.did.more", { files: "  …", n: more })] : []),
  ];
}
