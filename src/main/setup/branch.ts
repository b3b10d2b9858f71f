import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { repositoryAbove } from "../../platform/changes/above.ts";
import { gitFolderOf } from "../../platform/git/named.ts";

/** The checked-out branch; `null` = none, or no repository. Read from the files, because git's config can run programs. */
export function branchOf(workspace: string): string | null {
  const git = repositoryOf(workspace);
  const head = git === null ? null : beginningOf(join(git, "HEAD"));
  return /^ref: refs\/heads\/([\p{L}\p{N}_./#@+-]+)$/u.exec(head ?? "")?.[1] ?? null;
}

/** The checked-out commit; "" = none, or no repository. */
export function headOf(workspace: string): string {
  const git = repositoryOf(workspace);
  const head = git === null ? null : beginningOf(join(git, "HEAD"));
  if (git === null || head === null) return "";
  const ref = /^ref: (refs\/[^\0-\x20]+)$/.exec(head)?.[1];
  if (ref === undefined) return commitIn(head);
  // A worktree shares the branches of its main repository.
  const common = resolve(git, beginningOf(join(git, "commondir")) ?? ".");
  return commitIn(beginningOf(join(common, ref)) ?? "") || packed(join(common, "packed-refs"), ref);
}

function commitIn(text: string): string {
  return /^[0-9a-f]{40,64}$/.exec(text)?.[0] ?? "";
}

function packed(file: string, ref: string): string {
  const line = beginningOf(file, MOST_PACKED)
    ?.split("\n")
    .find((one) => one.endsWith(` ${ref}`));
  return commitIn(line?.split(" ")[0] ?? "");
}

function repositoryOf(folder: string): string | null {
  const top = repositoryAbove(folder);
  return top === null ? null : gitFolderOf(top);
}

/** Enough for any path in a worktree's files. */
const MOST = 4096;
const MOST_PACKED = 2 ** 22;

/** Opened non-blocking: the name may be a pipe. */
function beginningOf(file: string, most = MOST): string | null {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return null;
      const bytes = Buffer.alloc(Math.min(most, Math.max(MOST, fstatSync(fd).size)));
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0)).trim();
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
