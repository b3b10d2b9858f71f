import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
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

/** Whether a name leads to a program of that name, and not to a script or to another program that stands in for it. */
export function isItself(name: string, path: string, keepOut: readonly string[]): boolean {
  const file = findProgram([name], path, keepOut);
  if (file === null) return false;
  const real = realpathSync.native(file);
  // `python3` is `python3.11`, `gcc` is `x86_64-linux-gnu-gcc-12`: the same program with more of its name.
  const isSameName = basename(real)
    .split("-")
    .some((part) => part === name || (part.startsWith(name) && /^[\d.]+$/.test(part.slice(name.length))));
  return isSameName && !isScript(real);
}

function isScript(file: string): boolean {
  const fd = openSync(file, "r");
  try {
    const head = Buffer.alloc(2);
    return readSync(fd, head, 0, 2, 0) < 2 || head.toString("latin1") === "#!";
  } finally {
    closeSync(fd);
  }
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
