// What keeps git from seeing our files in a workspace, whatever the person tracks, ignores or has beside them.
import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { repositoryAbove } from "../platform/changes/above.ts";
import { openRepository } from "../platform/changes/repository.ts";

export const ignoreName = ".gitignore";

/** Itself too. It stands in each folder of ours: what lies beside them in `.coder` is the person's. */
export const ignoresAll = "*\n";
/** For a config file that nobody has asked for as a file: git shows one that a person makes. */
export const ignoresConfig = "/.gitignore\n/config.json\n";

/** As earlier versions wrote it into `.coder`, where git showed it. */
const earlier = "*\n!.gitignore\n!config.json\n";

/** One that a person has committed is theirs. */
export function removeEarlier(workspace: string): void {
  const path = join(workspace, ".coder", ignoreName);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size !== earlier.length || readFileSync(path, "utf8") !== earlier) return;
  const top = repositoryAbove(workspace);
  if (top === null || isUnknown(top, relative(top, path))) rmSync(path, { force: true });
}

/** To git, for certain. */
function isUnknown(top: string, path: string): boolean {
  return openRepository(top, null)?.index?.has(Buffer.from(path).toString("latin1")) === false;
}
