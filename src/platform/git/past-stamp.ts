import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { orNull } from "../files/probe.ts";
import { commonFolderOf, gitFolderOf } from "./named.ts";

const single = ["HEAD", "packed-refs", "shallow", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD"];
/** A repository with more refs is never cached. */
const maxEntries = 5_000;

/** Changes with every branch, tag and stash; `null`: unknown. */
export function stampOfRefs(workspace: string): string | null {
  return orNull(() => {
    const own = gitFolderOf(workspace);
    if (own === null) return null;
    // A worktree keeps most refs in its common folder.
    const folders = [...new Set([own, commonFolderOf(own)])];
    const parts = folders.flatMap((folder) => single.map((name) => stampOf(join(folder, name))));
    // Other worktrees may be at commits that no branch leads to.
    for (const path of headsIn(folders.at(-1) ?? own)) parts.push(stampOf(path));
    const below = folders.flatMap((folder) => ["refs", "reftable"].map((name) => join(folder, name)));
    const isFew = below.every((folder) => addBelow(folder, parts));
    return isFew ? parts.join("\n") : null;
  });
}

function headsIn(folder: string): readonly string[] {
  const path = join(folder, "worktrees");
  const isThere = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere ? readdirSync(path).map((name) => join(path, name, "HEAD")) : [];
}

function addBelow(folder: string, parts: string[]): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return true;
  parts.push(stampOf(folder));
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const path = join(folder, entry.name);
    if (parts.length > maxEntries) return false;
    if (entry.isDirectory()) return addBelow(path, parts);
    parts.push(`${entry.name} ${stampOf(path)}`);
    return true;
  });
}

/** The ctime cannot be set back. */
function stampOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? "" : [stat.ino, stat.size, stat.ctimeNs].join(" ");
}
