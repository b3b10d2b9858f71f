import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { FileChange, FileStamp } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, PlannedChange, ToolContext } from "../../contract/tool.ts";
import type { PastPort, PastTask } from "../../contract/undo.ts";
import { readEntry } from "../../platform/files/entry.ts";
import { orElse } from "../../platform/files/failure.ts";
import { isWithin, resolvePath } from "../../platform/files/path.ts";
import { folderMode, isFolderStamp, keyOf } from "../../platform/files/stamp.ts";
import { type LeftAlone, type PathUndo, undoPath } from "./path-undo.ts";
import { settle } from "./settle.ts";
import { chooseFrom, chooseSince } from "./undo-choose.ts";
import { type Outcome, refusedText, report } from "./undo-report.ts";

export interface UndoInput {
  readonly n?: number;
  /** A task: it and everything after it, undos included, so that the files are as they were before it. */
  readonly since?: string;
  readonly redo?: boolean;
  /** Include changes made while a command ran whose author is unknown. */
  readonly unclear?: boolean;
}

export function planUndo(input: UndoInput, past: PastPort, ctx: ToolContext): Result<ChangePlan> {
  const { since, redo = false, unclear = false } = input;
  const tasks = past.tasks();
  const chosen = since === undefined ? lastOf(tasks, input) : chooseSince(tasks, since);
  if (chosen.length === 0) {
    const key = redo ? "undo.nothing_to_redo" : "undo.nothing";
    return fail("E_INVALID_ARGS", phrase(key), { advice: phrase(`${key}.advice`) });
  }
  // A command may have removed it. If something else took its place, each file is refused by name.
  orElse(() => mkdirSync(ctx.root, { recursive: true }), undefined);
  const outcome = outcomeOf(chosen, unclear, past, ctx);
  const { undos, refused, unkept } = outcome;
  if (undos.length === 0 && refused.length + unkept.length > 0) {
    const text = phrase("undo.refused", { files: refusedText(outcome) });
    const isUnclear = refused.some(({ why }) => why === "unclear");
    const advice = phrase(isUnclear ? "undo.unclear.advice" : "undo.refused.advice");
    return fail("E_CONFLICT", text, { advice, sideEffect: "none" });
  }
  const told = report(outcome, { chosen, all: tasks, redo, ...(since === undefined ? {} : { since }) });
  return ok({ changes: undos.map((undo) => planned(undo, ctx)), ...told });
}

function lastOf(tasks: readonly PastTask[], { n = 1, redo = false, unclear = false }: UndoInput): readonly PastTask[] {
  const left = unclear ? tasks.filter((task) => task.undone && hasUnclear(task)) : [];
  const open = new Set([...chooseFrom(tasks, redo), ...left]);
  return tasks.filter((task) => open.has(task)).slice(-n);
}

/** An undo skipped a change of an unknown author, and it is still there. */
function hasUnclear({ changes }: PastTask): boolean {
  return changes.some(({ doubt, real, before }) => {
    const now = doubt === "unclear" ? readEntry(real) : undefined;
    return now !== undefined && keyOf(now?.stamp ?? null) !== keyOf(before);
  });
}

function outcomeOf(chosen: readonly PastTask[], unclear: boolean, past: PastPort, ctx: ToolContext): Outcome {
  const all = chosen.flatMap((task) => task.changes.flatMap(withFolders));
  const isLeft = ({ doubt }: FileChange): boolean => doubt !== undefined && !(unclear && doubt === "unclear");
  const byPath = Map.groupBy(
    all.filter((change) => !isLeft(change)),
    ({ real }) => real,
  );
  const doubted = new Map(all.filter(isLeft).map((change) => [change.real, change]));
  const undos = new Map<string, PathUndo>();
  const refused: { real: string; why: LeftAlone }[] = [];
  for (const { real, before, after, doubt } of doubted.values()) {
    if (doubt && !isFolderStamp(before ?? after)) refused.push({ real, why: doubt });
  }
  // Parents before children.
  for (const [real, changes] of [...byPath].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isInNew = hasNewFolder(real, undos);
    const undo =
      (isInNew ? null : placeProblem(real, ctx)) ?? undoPath(changes, isInNew ? null : readEntry(real), past);
    if (typeof undo === "string") refused.push({ real, why: undo });
    else undos.set(real, { ...undo, real });
  }
  const settled = settle([...undos.values()], {
    refused: refused.map(({ real }) => real),
    cameFrom: (real) => byPath.get(real)?.find(({ from }) => from !== undefined)?.from,
    hashesOf: (real) =>
      [...(byPath.get(real) ?? []), ...(doubted.has(real) ? all.filter((one) => one.real === real) : [])].flatMap(
        ({ before }) => before?.hash ?? [],
      ),
  });
  return {
    undos: settled.undos,
    refused: [...new Map([...settled.refused, ...refused.toReversed()].map((one) => [one.real, one])).values()]
      .toReversed()
      .map(({ real, why }) => ({ path: shownOf(real, ctx), why })),
    stays: settled.stays.map((real) => shownOf(real, ctx)),
    unkept: chosen.flatMap((task) => task.unkept.filter(({ why }) => why !== "workspace")),
    nameOf: ({ real }) => shownOf(real, ctx),
  };
}

/**
 * Something that is not a folder sits at an ancestor and will be replaced by a folder, so nothing exists at this path, even if a link
 * there leads somewhere.
 */
function hasNewFolder(real: string, undos: ReadonlyMap<string, PathUndo>): boolean {
  for (let above = dirname(real); above !== dirname(above); above = dirname(above)) {
    const undo = undos.get(above);
    const [now, target] = [undo?.now?.stamp ?? null, undo?.target?.stamp ?? null];
    if (now !== null && !isFolderStamp(now) && isFolderStamp(target)) return true;
  }
  return false;
}

/** Folders that a file tool created for a file are undone like other changes. */
function withFolders(change: FileChange): readonly FileChange[] {
  const made: FileChange[] = [];
  let { real } = change;
  for (let left = change.folders ?? 0; left > 0; left--) {
    real = dirname(real);
    made.unshift({ path: real, real, before: null, after: anyFolder });
  }
  return [...made, change];
}

const anyFolder: FileStamp = { hash: "", size: 0, mode: folderMode | 0o755 };

function placeProblem(real: string, ctx: ToolContext): LeftAlone | null {
  const above = resolvePath(dirname(real), ctx.root, ctx.addDirs);
  if (above.real !== dirname(real)) return "moved";
  return above.inside || ctx.allowedOutside.includes(real) ? null : "outside";
}

/** Not the original name: a link in it may lead elsewhere by now. */
function shownOf(real: string, { root }: ToolContext): string {
  return real !== root && isWithin(real, root) ? real.slice(root.endsWith("/") ? root.length : root.length + 1) : real;
}

function planned({ real, now, target }: PathUndo, ctx: ToolContext): PlannedChange {
  const change = { path: shownOf(real, ctx), real, before: now?.stamp ?? null, after: target?.stamp ?? null };
  return { change, beforeBytes: now?.bytes ?? null, afterBytes: target?.bytes ?? null };
}
