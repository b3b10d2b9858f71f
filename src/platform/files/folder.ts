import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { CoderError } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "./failure.ts";
import { sha256 } from "./hash.ts";
import { isOpenAt, maxWholeBytes, readAll } from "./open.ts";
import { visible } from "./path.ts";

/** A folder held open, so that what happens in it stays in it even when its path is swapped for a link meanwhile. */
export interface Folder {
  readonly fd: number;
  readonly path: string;
}

const hasProc = process.platform === "linux" && existsSync("/proc/self/fd");

/** Throws when the path is not, or no longer, a real folder. */
export function openFolder(path: string): Folder {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // Linux answers ENOTDIR for a link.
    throw lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? swapped(path) : error;
  }
  if (isOpenAt(fd, path)) return { fd, path };
  closeSync(fd);
  throw swapped(path);
}

/** Opens a folder and makes it, and those above it, where they are missing; `onMade` hears of each at once. */
function makeFolder(path: string, onMade: (path: string) => void): Folder {
  if (existsSync(path)) return openFolder(path);
  const above = makeFolder(dirname(path), onMade);
  try {
    mkdirSync(inFolder(above, basename(path)));
    onMade(path);
    syncFolder(above);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  } finally {
    closeSync(above.fd);
  }
  return openFolder(path);
}

/** The nearest folder above a path that is there. */
export function existingAbove(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? folder : existingAbove(folder);
}

/** Folders held open together, each once, however many files are in it. */
export class Folders {
  private readonly byPath = new Map<string, Folder>();

  at(path: string): Folder {
    return this.byPath.get(path) ?? this.keep(openFolder(path));
  }

  make(path: string, onMade: (path: string) => void): Folder {
    return this.byPath.get(path) ?? this.keep(makeFolder(path, onMade));
  }

  open(): Iterable<Folder> {
    return this.byPath.values();
  }

  close(): void {
    for (const { fd } of this.byPath.values()) closeSync(fd);
    this.byPath.clear();
  }

  private keep(folder: Folder): Folder {
    this.byPath.set(folder.path, folder);
    return folder;
  }
}

/** The name as seen from the open folder. */
export function inFolder(folder: Folder, name: string): string {
  return hasProc ? `/proc/self/fd/${folder.fd}/${name}` : `${folder.path}/${name}`;
}

/** `null` = nothing has that name; `undefined` = no plain file, unreadable, or too big to be one of ours. */
export function hashIn(folder: Folder, name: string): string | null | undefined {
  let fd: number;
  try {
    fd = openSync(inFolder(folder, name), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return errnoOf(error) === "ENOENT" ? null : undefined;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= maxWholeBytes ? sha256(readAll(fd, stat.size)) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Names and renames inside the folder reach the disk. */
export function syncFolder(folder: Folder): void {
  try {
    fsyncSync(folder.fd);
  } catch (error) {
    // Some network disks cannot sync folders and say so in one of these ways.
    if (!["EINVAL", "ENOTSUP", "EBADF"].includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Innermost first. What someone has put something into since is no longer ours and stays. */
export function removeEmptyFolders(made: readonly string[]): void {
  for (const path of [...made].reverse()) {
    try {
      rmdirSync(path);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }
}

function swapped(path: string): CoderError {
  return new CoderError({ code: "E_CONFLICT", text: phrase("file.moved", { path: visible(path) }) });
}
