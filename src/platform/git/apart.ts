// The git folder of a worktree or submodule, outside of its working tree.
import { dirname, resolve } from "node:path";
import { isWithin } from "../files/path.ts";
import { realOf } from "../files/probe.ts";
import { smallText } from "../sandbox/secret/key-text.ts";
import { parseGitConfig } from "./config-file.ts";
import { gitFolderOf } from "./named.ts";

export interface Apart {
  /** Real paths. For a submodule both are the same. */
  readonly folder: string;
  readonly common: string;
}

/** For a folder whose `.git` is a file. Anybody may write such a file, so the git folder must point back; `null`: it does not. */
export function gitApart(root: string): Apart | null {
  const folder = realOf(gitFolderOf(root));
  if (folder === null || isWithin(folder, root)) return null;
  const named = smallText(`${folder}/commondir`)?.trim();
  if (named === undefined) return worktreeNamedBy(folder) === root ? { folder, common: folder } : null;
  const common = realOf(resolve(folder, named));
  const isOwn = common !== null && dirname(folder) === `${common}/worktrees` && leadsTo(folder, root);
  return isOwn ? { folder, common } : null;
}

export function leadsTo(folder: string, root: string): boolean {
  return topOf(folder) === root && realOf(gitFolderOf(root)) === folder;
}

export function topOf(folder: string): string | null {
  const named = smallText(`${folder}/gitdir`)?.trim();
  return named === undefined || named === "" ? null : realOf(dirname(resolve(folder, named)));
}

export function worktreeNamedBy(folder: string): string | null {
  const settings = parseGitConfig(smallText(`${folder}/config`) ?? "") ?? [];
  const named = settings.findLast(({ section, key }) => section === "core" && key === "worktree")?.value;
  return named ? realOf(resolve(folder, named)) : null;
}
