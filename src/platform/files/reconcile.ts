import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileChange } from "../../contract/message.ts";
import { commitOrder, isPutBack, keepOld, type Step, takePlace } from "./commit.ts";
import { errnoOf } from "./failure.ts";
import {
  existingAbove,
  type Folder,
  Folders,
  hashIn,
  inFolder,
  isRefusal,
  removeEmptyFolders,
  syncFolder,
} from "./folder.ts";
import { oldName, removeIfThere, tempName } from "./temp.ts";

export type Reconciled = "applied" | "untouched" | "foreign";

interface Found extends Step {
  readonly state: Reconciled;
}

/**
 * What an interrupted `applyChanges` left, judged by content. Several files of which some are changed are carried to
 * the end, because every new content was on disk before the first change; or, where it was being undone, back to the
 * start, because every old one still is. Left-over temporary files are removed.
 */
export function reconcile(changes: readonly FileChange[], tempTag: string): Reconciled {
  const folders = new Folders();
  const keepsOld = changes.length > 1;
  try {
    const looks = changes.map((change, index) => look(change, tempName(tempTag, index), keepsOld, folders));
    const found = looks.filter((one) => one !== null);
    const result = found.length < looks.length ? "foreign" : settled(found, folders);
    // Their folders before the temporary files, which tell which of them are ours.
    if (result === "untouched") removeEmptyFolders(found.flatMap(foldersMade));
    for (const { file, change } of found) {
      removeIfThere(file.folder, file.temp);
      if (change.before !== null) removeIfThere(file.folder, oldName(file));
    }
    return result;
  } finally {
    folders.close();
  }
}

/** How each file stands by its content; of what cannot be looked at it is not known. */
export function statesOf(changes: readonly FileChange[]): readonly Reconciled[] {
  const folders = new Folders();
  try {
    return changes.map((change, index) => look(change, tempName("", index), false, folders)?.state ?? "foreign");
  } finally {
    folders.close();
  }
}

function settled(found: readonly Found[], folders: Folders): Reconciled {
  const states = new Set(found.map(({ state }) => state));
  if (states.has("foreign")) return "foreign";
  if (!states.has("applied")) return "untouched";
  if (!states.has("untouched") || isFinished(found, folders)) return "applied";
  return isUndone(found, folders) ? "untouched" : "foreign";
}

/** Outermost first. Those below the temporary file were not there when it was made. */
function foldersMade({ change, file }: Found): readonly string[] {
  const made: string[] = [];
  for (let folder = dirname(change.real); folder !== file.folder.path; folder = dirname(folder)) made.unshift(folder);
  return made;
}

/** `null` where the folder is closed, or no longer a folder. */
function look(change: FileChange, temp: string, keepsOld: boolean, folders: Folders): Found | null {
  try {
    const file = { folder: folders.at(homeOf(change, temp)), temp, name: basename(change.real) };
    const folder = folderOf(change, folders);
    const state = folder === null ? stateOf(change, null) : stateIn(folder, file.name, change);
    return { change, file, keepsOld, state };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/** Where the temporary file is, or would be. That of a file in a new folder was made above it. */
function homeOf(change: FileChange, temp: string): string {
  const nearest = existingAbove(change.real);
  for (let folder = nearest; ; folder = dirname(folder)) {
    if (existsSync(join(folder, temp))) return folder;
    if (folder === dirname(folder)) return nearest;
  }
}

function folderOf(change: FileChange, folders: Folders): Folder | null {
  try {
    return folders.at(dirname(change.real));
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    return null;
  }
}

function stateIn(folder: Folder, name: string, change: FileChange): Reconciled {
  const state = stateOf(change, hashIn(folder, name));
  // Where only the mode changes, the content does not tell.
  if (state !== "applied" || change.before?.hash !== change.after?.hash) return state;
  const mode = lstatSync(inFolder(folder, name)).mode & 0o7777;
  if (mode === change.after?.mode) return "applied";
  return mode === change.before?.mode ? "untouched" : "foreign";
}

function stateOf(change: FileChange, hash: string | null | undefined): Reconciled {
  if (hash === undefined) return "foreign";
  if (hash === (change.after?.hash ?? null)) return "applied";
  return hash === (change.before?.hash ?? null) ? "untouched" : "foreign";
}

/** False when it cannot be finished: a new content is gone, or the disk refuses. What was done by then can be undone. */
function isFinished(found: readonly Found[], folders: Folders): boolean {
  const rest = found.filter(({ state }) => state === "untouched");
  if (!rest.every(isReady)) return false;
  try {
    for (const step of commitOrder(rest)) {
      const folder = folders.make(dirname(step.change.real), () => {});
      if (step.change.before !== null) removeIfThere(folder, oldName(step.file));
      keepOld(step, folder);
      Array.from(takePlace(step, folder, () => {}));
    }
    for (const folder of folders.all()) syncFolder(folder);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

function isReady({ change, file }: Found): boolean {
  return change.after === null || hashIn(file.folder, file.temp) === change.after.hash;
}

/** Looked at again: an attempt to finish may have changed more. */
function isUndone(found: readonly Found[], folders: Folders): boolean {
  return commitOrder(found)
    .toReversed()
    .every((step) => {
      const folder = folderOf(step.change, folders);
      const isThere = folder !== null && stateIn(folder, step.file.name, step.change) !== "untouched";
      return !isThere || isPutBack(step, folder);
    });
}
