import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { realOf } from "../files/probe.ts";
import { smallText } from "./secret/key-text.ts";
import { systemFolders } from "./system-folders.ts";

/** The repository that contains the folder: packages of a monorepo look there for each other and for shared files. */
export function repositoryAround(root: string, home: string): string | null {
  for (let at = dirname(root); at !== dirname(at) && at !== home && !systemFolders.has(at); at = dirname(at)) {
    if (existsSync(`${at}/.git`)) return at;
  }
  return null;
}

/** Git folders elsewhere: of a worktree or submodule, and of a clone that shares objects. */
export function gitFoldersOf(root: string): readonly string[] {
  const own = `${root}/.git`;
  const [, named] = /^gitdir: *(.+)/.exec(smallText(own) ?? "") ?? [];
  const folder = named === undefined ? own : resolve(root, named.trim());
  const common = smallText(`${folder}/commondir`)?.trim();
  const shared = common === undefined ? folder : resolve(folder, common);
  const lines = (smallText(`${shared}/objects/info/alternates`) ?? "").split("\n");
  const alternates = lines.filter((line) => line.startsWith("/") && line.endsWith("/objects"));
  const elsewhere = [...(named === undefined ? [] : [folder, shared]), ...alternates];
  return elsewhere.flatMap((path) => realOf(path) ?? []).filter(isGitFolder);
}

/** Files of the project name these paths, so anything that is not a git folder is rejected. */
function isGitFolder(path: string): boolean {
  const isRepository = existsSync(`${path}/HEAD`) && (existsSync(`${path}/objects`) || existsSync(`${path}/commondir`));
  return (
    isRepository || (path.endsWith("/objects") && existsSync(`${path}/pack`) && existsSync(`${dirname(path)}/HEAD`))
  );
}
