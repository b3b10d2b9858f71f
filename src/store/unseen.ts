// What keeps git from seeing our files in a workspace, whatever the person tracks, ignores or has beside them.
import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { repositoryAbove } from "../platform/changes/above.ts";

export const ignoreName = ".gitignore";

/** Itself too. It stands in each folder of ours: what lies beside them in `.coder` is the person's. */
export const ignoresAll = "*\n";
/** For a config file that nobody has asked for as a file: git shows one that a person makes. */
export const ignoresConfig = "/.gitignore\n/config.json\n";

/** As earlier versions wrote it into `.coder`, where git showed it. */
const earlier = "*\n!.gitignore\n!config.json\n";

export function hasEarlier(workspace: string): boolean {
  const path = join(workspace, ".coder", ignoreName);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === earlier.length && readFileSync(path, "utf8") === earlier;
}

/** One that a person has committed is theirs. */
export async function removeEarlier(workspace: string): Promise<void> {
  const { openRepository } = await import("../platform/changes/repository.ts");
  const path = join(workspace, ".coder", ignoreName);
  const top = repositoryAbove(workspace);
  /** To git, for certain. */
  const isUnknown = (above: string): boolean =>
    openRepository(above, null)?.index?.has(Buffer.from(relative(above, path)).toString("latin1")) === false;
  if (hasEarlier(workspace) && (top === null || isUnknown(top))) rmSync(path, { force: true });
}
