import { constants, type Dirent, fstatSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { kindOf } from "../changes/file-stat.ts";
import { readAll } from "../files/open.ts";
import { orNull, withOpen } from "../files/probe.ts";
import type { EntryKind, Listed } from "./where.ts";

/** Limits per file and per workspace. Larger files are compared by stamp and cannot be restored. */
const maxFile = 2 ** 20;
const maxAll = 64 * 2 ** 20;

export class Room {
  private left = maxAll;

  take(content: Buffer | null): void {
    this.left -= content?.length ?? 0;
  }

  fits(size: number): boolean {
    return size <= maxFile && size <= this.left;
  }
}

/** `null`: no content, gone, unreadable or too large. */
export function readContent(path: Buffer, kind: "file" | "link" | "other", room: Room): Buffer | null {
  const readLink = (): Buffer => readlinkSync(path as unknown as string, { encoding: "buffer" });
  const content = kind === "other" ? null : orNull(() => (kind === "file" ? readFile(path, room) : readLink()));
  room.take(content);
  return content;
}

function readFile(path: Buffer, room: Room): Buffer | null {
  // Neither follows a symlink nor blocks on a pipe that may have replaced the file.
  return withOpen(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW, (fd) => {
    const stat = fstatSync(fd);
    return stat.isFile() && room.fits(stat.size) ? readAll(fd, stat.size) : null;
  });
}

/** Never follows a symlink; `null`: missing or unreachable. */
export function kindAt(path: Buffer): EntryKind | null {
  const stat = orNull(() => lstatSync(path as unknown as string, { throwIfNoEntry: false }));
  return stat ? kindOf(stat.mode) : null;
}

export function listFolder(path: Buffer): readonly Listed[] | null {
  // The declared types allow only strings; the runtime accepts bytes, and returns Latin-1.
  const options = { withFileTypes: true, encoding: "latin1" as "utf8" } as const;
  const found = orNull(() => readdirSync(path as unknown as string, options));
  return found?.map((one) => ({ name: one.name, kind: kindOfEntry(one, path) })) ?? null;
}

function kindOfEntry(one: Dirent, folder: Buffer): EntryKind {
  if (one.isDirectory()) return "folder";
  if (one.isFile()) return "file";
  if (one.isSymbolicLink()) return "link";
  // Some file systems do not report the type.
  return kindAt(Buffer.concat([folder, Buffer.from(`/${one.name}`, "latin1")])) ?? "other";
}
