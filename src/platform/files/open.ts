import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from "node:fs";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { FileStamp } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf, ioFailure } from "./failure.ts";
import { sha256 } from "./hash.ts";
import type { LocatedPath } from "./path.ts";

/** Larger files are neither hashed nor changed by our tools. */
export const maxWholeBytes = 64 * 2 ** 20;

export interface OpenFile {
  readonly fd: number;
  readonly stat: Stats;
}

/** Opens a regular file at its real path. Pipes and devices are refused without opening them, which could block or have effects. */
export function openFile(at: LocatedPath): Result<OpenFile> {
  const path = visible(at.shown);
  if (at.kind === "none") return fail("E_IO", phrase("file.missing", { path }));
  if (at.kind === "folder")
    return fail("E_INVALID_ARGS", phrase("file.is_folder", { path }), { advice: phrase("advice.use_list") });
  if (at.kind === "other") return fail("E_INVALID_ARGS", phrase("file.special", { path }));
  let fd: number;
  try {
    // Non-blocking, in case a pipe has replaced the file since it was checked.
    fd = openSync(at.real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    return errnoOf(error) === "ELOOP" ? moved(path) : ioFailure(error, path);
  }
  try {
    const stat = fstatSync(fd);
    if (stat.isFile() && isOpenAt(fd, at.real)) return ok({ fd, stat });
    closeSync(fd);
    return stat.isFile() ? moved(path) : fail("E_INVALID_ARGS", phrase("file.special", { path }));
  } catch (error) {
    closeSync(fd);
    return ioFailure(error, path);
  }
}

/** Whether the descriptor is what the path means: a folder on the way may have become a symlink since it was resolved. */
export function isOpenAt(fd: number, real: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === real;
  } catch {
    // Without /proc, resolve the path again.
    return realpathSync.native(real) === real;
  }
}

function moved(path: string) {
  return fail("E_CONFLICT", phrase("file.moved", { path }));
}

export interface LoadedFile {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
  readonly links: number;
  readonly owner: number;
}

export function loadFile(at: LocatedPath): Result<LoadedFile> {
  const opened = openFile(at);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  try {
    return stat.size > maxWholeBytes ? tooBig(at, stat.size) : loadOpen(opened.value, at);
  } catch (error) {
    return ioFailure(error, visible(at.shown));
  } finally {
    closeSync(fd);
  }
}

function loadOpen({ fd, stat }: OpenFile, at: LocatedPath): Result<LoadedFile> {
  const bytes = readAll(fd, stat.size);
  if (bytes.length > maxWholeBytes) return tooBig(at, bytes.length);
  return ok({ bytes, stamp: stampOf(bytes, stat.mode), links: stat.nlink, owner: stat.uid });
}

export function stampOf(bytes: Uint8Array, mode: number): FileStamp {
  return { hash: sha256(bytes), size: bytes.length, mode: mode & 0o7777 };
}

export function tooBig(at: LocatedPath, size: number) {
  return fail("E_INVALID_ARGS", phrase("file.too_big", { path: visible(at.shown), size: showSize(size) }), {
    advice: phrase("advice.use_shell"),
  });
}

/** Reads to the current end of the file: it may grow, and files in /proc report size 0. */
export function readAll(fd: number, expected: number): Buffer {
  let bytes = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const got = readSync(fd, bytes, length, bytes.length - length, length);
    length += got;
    if (got === 0 || length > maxWholeBytes) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(Math.max(length, 4096))]);
  }
}

export function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [value, unit] =
    bytes < 2 ** 20 ? [bytes / 1024, "KiB"] : bytes < 2 ** 30 ? [bytes / 2 ** 20, "MiB"] : [bytes / 2 ** 30, "GiB"];
  return `${value.toFixed(1)} ${unit}`;
}
