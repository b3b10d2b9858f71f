import { closeSync, constants, fstatSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { FileStamp } from "../../contract/message.ts";
import { errnoOf } from "./failure.ts";
import { inFolder, isRefusal, type OpenFolder, openFolder } from "./folder.ts";
import { sha256 } from "./hash.ts";
import { maxWholeBytes, readAll } from "./open.ts";
import { orNull, withOpen } from "./probe.ts";
import { folderMode, linkMode } from "./stamp.ts";

/** The entry of a name itself: symlinks are not followed, neither here nor in the parent folders. */
export interface DiskEntry {
  readonly stamp: FileStamp;
  readonly bytes: Uint8Array;
}

/** `null`: nothing there; `undefined`: a device, inaccessible, too big, or behind a symlink. */
export function readEntry(real: string): DiskEntry | null | undefined {
  let folder: OpenFolder;
  try {
    folder = openFolder(dirname(real));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return ["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "") ? null : undefined;
  }
  try {
    return entryIn(folder, basename(real));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return errnoOf(error) === "ENOENT" ? null : undefined;
  } finally {
    closeSync(folder.fd);
  }
}

function entryIn(folder: OpenFolder, name: string): DiskEntry | undefined {
  const path = inFolder(folder, name);
  const stat = lstatSync(path);
  if (stat.isDirectory()) return entryOf(new Uint8Array(0), folderMode | (stat.mode & 0o7777));
  if (stat.isSymbolicLink()) return entryOf(readlinkSync(path, { encoding: "buffer" }), linkMode);
  if (!stat.isFile() || stat.size > maxWholeBytes) return undefined;
  return withOpen(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW, (fd) => {
    const { mode, size } = fstatSync(fd);
    return entryOf(readAll(fd, size), mode & 0o7777);
  });
}

function entryOf(bytes: Uint8Array, mode: number): DiskEntry {
  return { bytes, stamp: { hash: sha256(bytes), size: bytes.length, mode } };
}

export function namesIn(real: string): readonly string[] | null {
  return orNull(() => readdirSync(real));
}

export function missingAbove(real: string): number {
  const above = dirname(real);
  const isThere = lstatSync(above, { throwIfNoEntry: false }) !== undefined;
  return isThere || above === real ? 0 : 1 + missingAbove(above);
}
