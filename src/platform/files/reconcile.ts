import { closeSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { CoderError } from "../../contract/error.ts";
import type { FileChange } from "../../contract/message.ts";
import { errnoOf } from "./failure.ts";
import { type Folder, hashIn, inFolder, openFolder, syncFolder } from "./folder.ts";
import { createFromTemp, removeTemp, replaceByTemp, type TempFile, tempName } from "./temp.ts";

export type Reconciled = "applied" | "untouched" | "foreign";

interface Found {
  readonly change: FileChange;
  /** `null` where the folder is gone or no longer the same. */
  readonly file: TempFile | null;
  readonly state: Reconciled;
}

/**
 * What an interrupted `applyChanges` left, judged by content. Several files of which some are changed are carried to
 * the end, because every new content was on disk before the first change. Left-over temporary files are removed.
 */
export function reconcile(changes: readonly FileChange[], tempTag: string): Reconciled {
  const found: Found[] = [];
  try {
    for (const [index, change] of changes.entries()) found.push(look(change, tempName(tempTag, index)));
    const states = new Set(found.map(({ state }) => state));
    if (states.has("foreign")) return "foreign";
    if (!states.has("applied")) return "untouched";
    if (!states.has("untouched")) return "applied";
    return finish(found.filter(({ state }) => state === "untouched")) ? "applied" : "foreign";
  } finally {
    for (const { file } of found) {
      if (file === null) continue;
      removeTemp(file);
      closeSync(file.folder.fd);
    }
  }
}

function look(change: FileChange, temp: string): Found {
  let folder: Folder;
  try {
    folder = openFolder(dirname(change.real));
  } catch (error) {
    if (!(error instanceof CoderError) && errnoOf(error) === undefined) throw error;
    return { change, file: null, state: errnoOf(error) === "ENOENT" ? stateOf(change, null) : "foreign" };
  }
  const name = basename(change.real);
  return { change, file: { folder, temp, name }, state: stateOf(change, hashIn(folder, name)) };
}

function stateOf(change: FileChange, hash: string | null | undefined): Reconciled {
  if (hash === undefined) return "foreign";
  if (hash === (change.after?.hash ?? null)) return "applied";
  return hash === (change.before?.hash ?? null) ? "untouched" : "foreign";
}

function finish(rest: readonly Found[]): boolean {
  const ready = rest.flatMap(({ change, file }) => (file !== null && isReady(change, file) ? [{ change, file }] : []));
  if (ready.length < rest.length) return false;
  for (const { change, file } of ready) {
    if (change.after === null) unlinkSync(inFolder(file.folder, file.name));
    else if (change.before === null) Array.from(createFromTemp(file));
    else replaceByTemp(file);
    syncFolder(file.folder);
  }
  return true;
}

function isReady(change: FileChange, { folder, temp }: TempFile): boolean {
  return change.after === null || hashIn(folder, temp) === change.after.hash;
}
