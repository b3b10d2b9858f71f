// Files of a session in its workspace: its snapshot and its spilled outputs.
import { closeSync, lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { CoderError } from "../contract/error.ts";
import { isSessionId, type SessionId } from "../contract/ids.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { inFolder, type OpenFolder, openFolder } from "../platform/files/folder.ts";
import { orNull } from "../platform/files/probe.ts";

/** Removes only regular files with the session's id, only in real folders. Returns the removed paths. */
export function removeLeftovers(workspace: string, id: SessionId, withOutputs: boolean): readonly string[] {
  if (!isSessionId(id)) return [];
  const snapshot = removeIn(join(workspace, ".coder", "sessions"), (name) => name === `${id}.json`);
  return withOutputs
    ? [...snapshot, ...removeIn(join(workspace, ".coder", "output"), (name) => name.startsWith(`${id}_`))]
    : snapshot;
}

function removeIn(path: string, isOurs: (name: string) => boolean): readonly string[] {
  const folder = openReal(path);
  if (folder === null) return [];
  try {
    const names = readdirSync(inFolder(folder, "")).filter(isOurs);
    return names.filter((name) => removeFile(folder, name)).map((name) => join(path, name));
  } finally {
    closeSync(folder.fd);
  }
}

/** `null`: missing, or a symlink, whose target is not ours. */
function openReal(path: string): OpenFolder | null {
  try {
    return openFolder(path);
  } catch (error) {
    if (error instanceof CoderError || errnoOf(error) !== undefined) return null;
    throw error;
  }
}

/** False if it is already gone, or the disk is read-only now: only the session in the database matters. */
function removeFile(folder: OpenFolder, name: string): boolean {
  const isRemoved = orNull(() => {
    const path = inFolder(folder, name);
    if (!lstatSync(path).isFile()) return false;
    unlinkSync(path);
    return true;
  });
  return isRemoved === true;
}
