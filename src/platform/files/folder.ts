import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  rmdirSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { CoderError } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "./failure.ts";
import { sha256 } from "./hash.ts";
import { isOpenAt, maxWholeBytes, readAll } from "./open.ts";
import { folderKey, linkKey } from "./stamp.ts";

/** A folder held open, so that what happens in it stays in it even when its path is swapped for a link meanwhile. */
export interface OpenFolder {
  readonly fd: number;
  readonly path: string;
}

const hasProc = process.platform === "linux" && existsSync("/proc/self/fd");

/** Throws when the path is not, or no longer, a real folder. */
export function openFolder(path: string): OpenFolder {
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
function makeFolder(path: string, onMade: (path: string) => void): OpenFolder {
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

/** The nearest folder above a path that is there and stays. A file in the way may be about to make room. */
export function existingAbove(path: string, leaving: ReadonlySet<string> = none): string {
  const folder = dirname(path);
  const isThere = folder === dirname(folder) || (existsSync(folder) && !lstatSync(folder).isFile());
  return isThere && !leaving.has(folder) ? folder : existingAbove(folder, leaving);
}

const none: ReadonlySet<string> = new Set();

/** Open at once: a patch may touch more folders than a process may hold open. */
const maxOpen = 16;

/** Folders that are used together. One that had to be closed meanwhile is opened again only if it is still the same. */
export class Folders {
  private readonly byPath = new Map<string, OpenFolder>();
  /** Of those that are open, the longest unused first. */
  private readonly fds = new Map<string, number>();
  /** Of those that were closed: which folder each was. */
  private readonly identities = new Map<string, string>();

  at(path: string): OpenFolder {
    return this.byPath.get(path) ?? this.keep(this.withRoom(() => openFolder(path)));
  }

  make(path: string, onMade: (path: string) => void): OpenFolder {
    return this.byPath.get(path) ?? this.keep(this.withRoom(() => makeFolder(path, onMade)));
  }

  /** It was removed, or made anew: what is held open is not what is there. */
  forget(path: string): void {
    const fd = this.fds.get(path);
    if (fd !== undefined) closeSync(fd);
    this.fds.delete(path);
    this.byPath.delete(path);
    this.identities.delete(path);
  }

  all(): Iterable<OpenFolder> {
    return this.byPath.values();
  }

  /** Closes all but the last used; each is opened again when it is needed. */
  rest(kept = 0): void {
    for (const [path, fd] of [...this.fds].slice(0, Math.max(0, this.fds.size - kept))) {
      this.fds.delete(path);
      this.identities.set(path, identityOf(fd));
      closeSync(fd);
    }
  }

  close(): void {
    for (const fd of this.fds.values()) closeSync(fd);
    this.fds.clear();
    this.byPath.clear();
  }

  private keep({ fd, path }: OpenFolder): OpenFolder {
    this.hold(path, fd);
    const folder = new HeldFolder(path, () => this.fdOf(path));
    this.byPath.set(path, folder);
    return folder;
  }

  private fdOf(path: string): number {
    const open = this.fds.get(path);
    if (open !== undefined && this.fds.size === 1) return open;
    const fd = open ?? this.withRoom(() => openFolder(path)).fd;
    this.fds.delete(path);
    this.hold(path, fd);
    if (open === undefined && identityOf(fd) !== this.identities.get(path)) throw swapped(path);
    return fd;
  }

  private hold(path: string, fd: number): void {
    this.fds.set(path, fd);
    if (this.fds.size > maxOpen) this.rest(maxOpen);
  }

  /** The last used stays open: a name in it may be in use for the same step, and its number must not go to another. */
  private withRoom<T>(open: () => T): T {
    try {
      return open();
    } catch (error) {
      if (!isFull(error)) throw error;
      this.rest(1);
      return open();
    }
  }
}

class HeldFolder implements OpenFolder {
  readonly path: string;
  private readonly fdOf: () => number;

  constructor(path: string, fdOf: () => number) {
    this.path = path;
    this.fdOf = fdOf;
  }

  get fd(): number {
    return this.fdOf();
  }
}

function identityOf(fd: number): string {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev} ${ino}`;
}

/** The name as seen from the open folder. */
export function inFolder(folder: OpenFolder, name: string): string {
  return hasProc ? `/proc/self/fd/${folder.fd}/${name}` : `${folder.path}/${name}`;
}

/** As `keyOf` of a stamp; `null` = nothing has that name; `undefined` = unreadable, too big to be one of ours, or a device. */
export function keyIn(folder: OpenFolder, name: string): string | null | undefined {
  const path = inFolder(folder, name);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    // That no more files may be open says nothing about this one.
    if (!isRefusal(error) || isFull(error)) throw error;
    return errnoOf(error) === "ENOENT" ? null : closedKey(path);
  }
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) return folderKey;
    return stat.isFile() && stat.size <= maxWholeBytes ? sha256(readAll(fd, stat.size)) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Of what is not opened: a link, a folder that is closed to us. */
function closedKey(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    if (stat.isDirectory()) return folderKey;
    return stat.isSymbolicLink() ? linkKey(sha256(readlinkSync(path, { encoding: "buffer" }))) : undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Names and renames inside the folder reach the disk. */
export function syncFolder(folder: OpenFolder): void {
  try {
    fsyncSync(folder.fd);
  } catch (error) {
    // Some network disks cannot sync folders and say so in one of these ways.
    if (!["EINVAL", "ENOTSUP", "EBADF"].includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Innermost first. What someone has put something into since, or has moved elsewhere, is no longer ours and stays. */
export function removeEmptyFolders(made: readonly string[]): void {
  for (const path of [...made].reverse()) {
    try {
      const above = openFolder(dirname(path));
      try {
        rmdirSync(inFolder(above, basename(path)));
      } finally {
        closeSync(above.fd);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
}

/** No more files may be open. */
export function isFull(error: unknown): boolean {
  return errnoOf(error) === "EMFILE" || errnoOf(error) === "ENFILE";
}

/** Of the disk, or because the folder is another by now. */
export function isRefusal(error: unknown): boolean {
  return error instanceof CoderError || errnoOf(error) !== undefined;
}

function swapped(path: string): CoderError {
  return new CoderError({ code: "E_CONFLICT", text: phrase("file.moved", { path: visible(path) }) });
}
