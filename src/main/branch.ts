import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Which branch is checked out; `null` = none, or no repository. Read, not asked from git: its config can run programs. */
export function branchOf(workspace: string): string | null {
  const git = gitFolderOf(workspace);
  const head = git === null ? null : beginningOf(join(git, "HEAD"));
  return /^ref: refs\/heads\/([\p{L}\p{N}_./#@+-]+)$/u.exec(head ?? "")?.[1] ?? null;
}

/** Of the repository that the folder is in; a worktree has a file that names it. */
function gitFolderOf(folder: string): string | null {
  const path = join(folder, ".git");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return path;
  if (stat?.isFile()) {
    const named = /^gitdir: (.+)$/.exec(beginningOf(path) ?? "")?.[1];
    return named === undefined ? null : resolve(folder, named);
  }
  const above = dirname(folder);
  return above === folder ? null : gitFolderOf(above);
}

/** A path in a worktree's file is at most this long. */
const MOST = 4096;

/** Never waits for a pipe that lies there under the name. */
function beginningOf(file: string): string | null {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return null;
      const bytes = Buffer.alloc(MOST);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, MOST, 0)).trim();
    } finally {
      closeSync(fd);
    }
  } catch {
    // Not there, or not to be read: nothing is known of it.
    return null;
  }
}
