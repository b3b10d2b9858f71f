// Hides our files in a workspace from git, whatever the user tracks, ignores or keeps beside them.
import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { repositoryAbove } from "../platform/changes/above.ts";

export const ignoreName = ".gitignore";

/** Ignores itself too. Each of our folders has one: other files in `.coder` belong to the user. */
export const ignoresAll = "*\n";
/** For a config file that the user did not ask for; git shows one that the user creates. */
export const ignoresConfig = "/.gitignore\n/config.json\n";

/** Earlier versions wrote this into `.coder`, where git showed it. */
const earlier = "*\n!.gitignore\n!config.json\n";

export function hasEarlier(workspace: string): boolean {
  const path = join(workspace, ".coder", ignoreName);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === earlier.length && readFileSync(path, "utf8") === earlier;
}

/** Keeps a file that the user has committed. */
export async function removeEarlier(workspace: string): Promise<void> {
  const { openRepository } = await import("../platform/changes/repository.ts");
  const path = join(workspace, ".coder", ignoreName);
  const top = repositoryAbove(workspace);
  /** False also when git's index is unreadable. */
  const isUnknown = (above: string): boolean =>
    openRepository(above, null)?.index?.has(Buffer.from(relative(above, path)).toString("latin1")) === false;
  if (hasEarlier(workspace) && (top === null || isUnknown(top))) rmSync(path, { force: true });
}
