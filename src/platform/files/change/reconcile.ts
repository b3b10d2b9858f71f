import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileChange } from "../../../contract/message.ts";
import { errnoOf } from "../failure.ts";
import {
  existingAbove,
  Folders,
  inFolder,
  isRefusal,
  keyIn,
  type OpenFolder,
  removeEmptyFolders,
  syncFolder,
  unlessRefused,
} from "../folder.ts";
import { isFolderStamp, keyOf } from "../stamp.ts";
import { isPutBack, keepOld, type Step, takePlace } from "./commit.ts";
import { aboveIn, isLeaving, isOfFolder, isSwap, type Move, movesOf, unsteady } from "./move.ts";
import { oldName, removeIfThere, tempName } from "./temp.ts";

export type Reconciled = "applied" | "untouched" | "foreign";

/** `between`: of a swap of file and folder, the old entry is gone and the new one is not there yet. */
interface FoundStep extends Step {
  readonly state: Reconciled | "between";
}

/**
 * Determines by content what an interrupted `applyChanges` left. A partial change of several files is completed, because every new content
 * was on disk before the first change; or, if it was being undone, reverted, because every old content still exists. Removes leftover
 * temporary files.
 */
export function reconcile(changes: readonly FileChange[], tempTag: string): Reconciled {
  const folders = new Folders();
  const places = unsteady(changes);
  const isMany = changes.length > 1;
  try {
    const looks = changes.map((change, index) => {
      const temp = tempName(tempTag, index);
      return look({ change, temp, keepsOld: isMany || isSwap(change), places }, folders);
    });
    const found = looks.filter((one) => one !== null);
    const result = found.length < looks.length ? "foreign" : settled(found, folders);
    // Folders before the temporary files, which tell which folders are ours.
    if (result === "untouched") {
      const ofFolders = found.filter(({ change }) => isOfFolder(change));
      isUndone(ofFolders, folders);
      removeEmptyFolders(found.flatMap(foldersMade));
    }
    if (result === "foreign") roundOff(found, folders);
    for (const { file, change } of found) {
      removeIfThere(file.folder, file.temp);
      if (change.before !== null && !isFolderStamp(change.before)) removeIfThere(file.folder, oldName(file));
    }
    return result;
  } finally {
    folders.close();
  }
}

/** State of each file by its content; `foreign` if it cannot be read. */
export function statesOf(changes: readonly FileChange[]): readonly Reconciled[] {
  const folders = new Folders();
  const places = unsteady(changes);
  try {
    return changes.map((change, index) => {
      const found = look({ change, temp: tempName("", index), keepsOld: false, places }, folders);
      return found === null || found.state === "between" ? "foreign" : found.state;
    });
  } finally {
    folders.close();
  }
}

function settled(found: readonly FoundStep[], folders: Folders): Reconciled {
  const isDecisive = ({ change }: FoundStep): boolean =>
    !isOfFolder(change) || (change.before !== null && change.after !== null);
  // Folders come and go with files, so files decide if there are any. A folder that could not be removed proves nothing.
  const decisive = found.some(isDecisive) ? found.filter(isDecisive) : found;
  const states = new Set(decisive.map(({ state }) => state));
  if (states.has("foreign")) return "foreign";
  if (!states.has("applied") && !states.has("between")) return "untouched";
  const isWhole = !states.has("untouched") && !states.has("between");
  if (isFinished(found, folders) || isWhole) return "applied";
  return isUndone(found, folders) ? "untouched" : "foreign";
}

/** Completes swaps of file and folder, whose new content may exist nowhere else, and gives created folders their modes. */
function roundOff(found: readonly FoundStep[], folders: Folders): void {
  // These exist from before the first change until after the last.
  const hasBegun = found.some(({ file }) =>
    [file.temp, oldName(file)].some((name) => isThere(join(file.folder.path, name))),
  );
  if (!hasBegun) return;
  for (const move of movesOf(found)) {
    const { change, state } = move.step as FoundStep;
    const isMade = move.action === "mode" && !isFolderStamp(change.before) && state !== "untouched";
    const isPending = state === "between" && isOpen(move) && isReady(move.step as FoundStep);
    if (isMade || isPending) unlessRefused(() => finish(move, folders));
  }
}

/** Outermost first. Folders below the temporary file's folder did not exist when it was created. */
function foldersMade({ change, file }: FoundStep): readonly string[] {
  const made: string[] = [];
  if (change.before !== null || isFolderStamp(change.after)) return made;
  for (let folder = dirname(change.real); folder !== file.folder.path; folder = dirname(folder)) made.unshift(folder);
  return made;
}

interface Looking {
  readonly change: FileChange;
  readonly temp: string;
  readonly keepsOld: boolean;
  readonly places: ReadonlySet<string>;
}

/** `null`: the folder is inaccessible or no longer a folder. */
function look({ change, temp, keepsOld, places }: Looking, folders: Folders): FoundStep | null {
  return unlessRefused(() => {
    const file = { folder: folders.at(homeOf(change, temp, places)), temp, name: basename(change.real) };
    const folder = folderOf(change, folders, places);
    const state = folder === null ? stateOf(change, null) : stateIn(folder, file.name, change);
    return { change, file, keepsOld, state };
  });
}

/** The folder of the temporary or old file. For a file in a new folder that is an existing folder above. */
function homeOf(change: FileChange, temp: string, places: ReadonlySet<string>): string {
  const nearest = existingAbove(change.real, places);
  const old = oldName({ temp });
  for (let folder = nearest; ; folder = dirname(folder)) {
    if (isThere(join(folder, temp)) || isThere(join(folder, old))) return folder;
    if (folder === dirname(folder)) return nearest;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** `null`: missing, or a file or symlink is still in its place. */
function folderOf({ real }: FileChange, folders: Folders, places: ReadonlySet<string>): OpenFolder | null {
  try {
    const swapped = aboveIn(real, places);
    if (swapped !== null && !lstatSync(swapped).isDirectory()) return null;
    return folders.at(dirname(real));
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    return null;
  }
}

function stateIn(folder: OpenFolder, name: string, change: FileChange): FoundStep["state"] {
  const state = stateOf(change, keyIn(folder, name));
  // If only the mode changes, the content does not tell.
  if (state !== "applied" || keyOf(change.before) !== keyOf(change.after)) return state;
  const mode = lstatSync(inFolder(folder, name)).mode & 0o7777;
  if (mode === (change.after?.mode ?? 0) % 0o10000) return "applied";
  return mode === (change.before?.mode ?? 0) % 0o10000 ? "untouched" : "foreign";
}

function stateOf(change: FileChange, key: string | null | undefined): FoundStep["state"] {
  if (key === undefined) return "foreign";
  if (key === keyOf(change.after)) return "applied";
  if (key === keyOf(change.before)) return "untouched";
  return key === null && isSwap(change) ? "between" : "foreign";
}

/** False if it cannot be completed: a new content is gone, or the disk refuses. The completed part can be undone. */
function isFinished(found: readonly FoundStep[], folders: Folders): boolean {
  const rest = found.filter(({ state }) => state !== "applied");
  if (!rest.every(isReady)) return false;
  try {
    // Folder modes come last, also for folders that already exist.
    for (const move of movesOf(found)) if (isOpen(move)) finish(move, folders);
    const gone = new Set(found.flatMap(({ change }) => (isLeaving(change) ? [change.real] : [])));
    for (const folder of folders.all()) if (!gone.has(folder.path)) syncFolder(folder);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

function isOpen({ step, action }: Move): boolean {
  const { state } = step as FoundStep;
  if (action === "mode") return true;
  if (state === "between") return action === "put" || action === "make";
  return state === "untouched";
}

function finish(move: Move, folders: Folders): void {
  const { change, file } = move.step;
  const folder = folders.make(dirname(change.real), () => {});
  if (move.action === "replace" || move.action === "drop") removeIfThere(file.folder, oldName(file));
  keepOld(move, folder);
  Array.from(takePlace(move, folder, () => {}));
  if (move.action === "remove") folders.forget(change.real);
}

function isReady({ change, file }: FoundStep): boolean {
  if (change.after === null || isFolderStamp(change.after)) return true;
  return keyIn(file.folder, file.temp) === keyOf(change.after);
}

/** Reads the states again: an attempt to finish may have changed more. */
function isUndone(found: readonly FoundStep[], folders: Folders): boolean {
  const places = unsteady(found.map(({ change }) => change));
  return movesOf(found)
    .toReversed()
    .every((move) => {
      const { change, file } = move.step;
      if (move.action === "make") folders.forget(change.real);
      const folder = folderOf(change, folders, places);
      const state = folder === null ? stateOf(change, null) : stateIn(folder, file.name, change);
      if (!isDone(move, state)) return true;
      return (folder !== null && isPutBack(move, folder)) || isOfFolder(change);
    });
}

function isDone({ action, step: { change } }: Move, state: FoundStep["state"]): boolean {
  if (state === "between") return action === "drop" || action === "remove";
  if (action === "mode") return change.before !== null && state === "applied";
  return state !== "untouched";
}
