import { constants, readSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { isWithin } from "./files/path.ts";
import { isAccessible, orNull, realOf, withOpen } from "./files/probe.ts";

/** PATH without relative folders and those inside the given ones: a workspace must not provide its own programs. */
export function foreignPath(path: string, keepOut: readonly string[]): string {
  return path
    .split(":")
    .map(resolved)
    .filter((folder) => isAbsolute(folder) && !isInside(folder, keepOut))
    .join(":");
}

/** The first of the programs in a path from `foreignPath`; a symlink that leads back into `keepOut` does not count. */
export function findProgram(names: readonly string[], path: string, keepOut: readonly string[]): string | null {
  const files = names.flatMap((name) =>
    path.split(":").flatMap((folder) => (folder === "" ? [] : [join(folder, name)])),
  );
  return files.find((file) => isProgram(file) && !isInside(realpathSync.native(file), keepOut)) ?? null;
}

/** Whether a name leads to a program of that name, and not to a script or another program in its place. */
export function isRealProgram(name: string, path: string, keepOut: readonly string[]): boolean {
  const file = findProgram([name], path, keepOut);
  if (file === null) return false;
  const real = realpathSync.native(file);
  // `python3` is `python3.11`, `gcc` is `x86_64-linux-gnu-gcc-12`: the same program with a longer name.
  const isSameName = basename(real)
    .split("-")
    .some((part) => part === name || (part.startsWith(name) && /^[\d.]+$/.test(part.slice(name.length))));
  return isSameName && !isShimFile(file, real) && !/^(?:#!|.?$)/s.test(headOf(real));
}

// Version managers obey files of the workspace, some of which name the program to start.
const managers = /^(?:asdf|mise|rtx|volta(?:-shim)?|proto(?:-shim)?|aqua(?:-proxy)?|pkgx|snap)$/;
const script = /^#!.*\b(?:asdf|mise|rtx|volta|proto|aqua|pkgx|hermit|[a-z]{2,6}env["']? exec)\b/s;

/** Returns a test whether a name leads to a version manager, which may start any program instead. */
export function shimsIn(path: string, keepOut: readonly string[]): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const file = known.has(name) ? null : findProgram([name], path, keepOut);
    if (file !== null) known.set(name, isShimFile(file, realpathSync.native(file)));
    return known.get(name) ?? false;
  };
}

/** The same, including managers of single programs that let project files choose the version. */
export function isManaged(name: string, path: string, keepOut: readonly string[]): boolean {
  const file = findProgram([name], path, keepOut);
  if (file === null) return false;
  const real = realpathSync.native(file);
  return isShimFile(file, real) || basename(real) === "rustup";
}

function isShimFile(file: string, real: string): boolean {
  const isShim = [file, real].some((one) => one.split("/").includes("shims"));
  return isShim || (real !== file && managers.test(basename(real))) || script.test(headOf(real));
}

/** A program may be executable but unreadable; then it is not a script. */
function headOf(file: string): string {
  const read = (fd: number): string => {
    const head = Buffer.alloc(512);
    return head.toString("latin1", 0, readSync(fd, head, 0, head.length, 0));
  };
  return orNull(() => withOpen(file, constants.O_RDONLY, read)) ?? "";
}

function isProgram(file: string): boolean {
  return isAccessible(file, constants.X_OK) && orNull(() => statSync(file).isFile()) === true;
}

function isInside(real: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(real, folder));
}

/** A folder that does not exist contains no program now; if it is in the workspace, its plain name still tells. */
function resolved(folder: string): string {
  return (folder.startsWith("/") ? realOf(folder) : null) ?? folder;
}
