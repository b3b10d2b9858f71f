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
import { orNull } from "./probe.ts";
import { folderKey, linkKey } from "./stamp.ts";

/** A folder held open, so that operations stay in it even if its path is replaced by a symlink. */
export interface OpenFolder {
  readonly fd: number;
  readonly path: string;
}

const hasProc = process.platform === "linux" && existsSync("/proc/self/fd");

/** Throws if the path is not, or no longer, a real folder. */
export function openFolder(path: string): OpenFolder {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // Linux returns ENOTDIR for a symlink.
    throw lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? swapped(path) : error;
  }
  if (isOpenAt(fd, path)) return { fd, path };
  closeSync(fd);
  throw swapped(path);
}

/** Opens a folder, creating it and its parents if missing; calls `onMade` for each at once. */
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

/** The nearest existing folder above a path that will stay. A file in its place may be about to make room. */
export function existingAbove(path: string, leaving: ReadonlySet<string> = none): string {
  const folder = dirname(path);
  const isThere = folder === dirname(folder) || (existsSync(folder) && !lstatSync(folder).isFile());
  return isThere && !leaving.has(folder) ? folder : existingAbove(folder, leaving);
}

const none: ReadonlySet<string> = new Set();

/** A patch may touch more folders than a process can hold open. */
const maxOpen = 16;

/** A set of open folders. A folder that was closed to save descriptors is reopened only if it is still the same one. */
export class Folders {
  private readonly byPath = new Map<string, OpenFolder>();
  private readonly fds = new Map<string, number>();
  private readonly identities = new Map<string, string>();

  at(path: string): OpenFolder {
    return this.byPath.get(path) ?? this.keep(this.withRoom(() => openFolder(path)));
  }

  make(path: string, onMade: (path: string) => void): OpenFolder {
    return this.byPath.get(path) ?? this.keep(this.withRoom(() => makeFolder(path, onMade)));
  }

  /** Call this when a folder was removed or replaced: the open descriptor is outdated. */
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

  /** Closes all but the most recently used; each is reopened on demand. */
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

  /** Keeps the most recently used folder open: the current step may use a name in it, so its descriptor number must not be reused. */
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

export function inFolder(folder: OpenFolder, name: string): string {
  return hasProc ? `/proc/self/fd/${folder.fd}/${name}` : `${folder.path}/${name}`;
}

/** Like `keyOf` of a stamp; `null`: nothing has that name; `undefined`: unreadable, too big to be ours, or a device. */
export function keyIn(folder: OpenFolder, name: string): string | null | undefined {
  const path = inFolder(folder, name);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    // EMFILE says nothing about this file.
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

/** For entries that cannot be opened: a symlink, or an inaccessible folder. */
function closedKey(path: string): string | undefined {
  const stat = orNull(() => lstatSync(path));
  if (stat?.isDirectory()) return folderKey;
  const target = stat?.isSymbolicLink() ? orNull(() => readlinkSync(path, { encoding: "buffer" })) : null;
  return target === null ? undefined : linkKey(sha256(target));
}

/** Makes names and renames in the folder durable. */
export function syncFolder(folder: OpenFolder): void {
  try {
    fsyncSync(folder.fd);
  } catch (error) {
    // Some network file systems cannot sync folders.
    if (!["EINVAL", "ENOTSUP", "EBADF"].includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Innermost first. Leaves folders that have content by now or were moved: they are no longer ours. */
export function removeEmptyFolders(made: readonly string[]): void {
  for (const path of [...made].reverse()) {
    unlessRefused(() => {
      const above = openFolder(dirname(path));
      try {
        rmdirSync(inFolder(above, basename(path)));
      } finally {
        closeSync(above.fd);
      }
    });
  }
}

export function isFull(error: unknown): boolean {
  return errnoOf(error) === "EMFILE" || errnoOf(error) === "ENFILE";
}

/** A system error, or the folder was replaced. */
export function isRefusal(error: unknown): boolean {
  return error instanceof CoderError || errnoOf(error) !== undefined;
}

export function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

function swapped(path: string): CoderError {
  return new CoderError({ code: "E_CONFLICT", text: phrase("file.moved", { path: visible(path) }) });
}
