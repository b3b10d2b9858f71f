import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isWithin } from "./files/path.ts";
import { resolvedPathVariable } from "./path-variable.ts";

/** PATH without relative folders and without those inside the given ones: a workspace must not bring its own programs. */
export function foreignPath(path: string, keepOut: readonly string[]): string {
  return resolvedPathVariable(path)
    .split(":")
    .filter((folder) => isAbsolute(folder) && !isInside(folder, keepOut))
    .join(":");
}

/** The first of the programs in a path made by `foreignPath`; a link that leads back in does not count. */
export function findProgram(names: readonly string[], path: string, keepOut: readonly string[]): string | null {
  const files = names.flatMap((name) =>
    path.split(":").flatMap((folder) => (folder === "" ? [] : [join(folder, name)])),
  );
  return files.find((file) => isProgram(file) && !isInside(realpathSync.native(file), keepOut)) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, or not to be executed by us.
    return false;
  }
}

function isInside(real: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(real, folder));
}
