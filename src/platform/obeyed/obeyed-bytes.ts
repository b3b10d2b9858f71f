import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { errnoOf } from "../files/failure.ts";
import { readAll } from "../files/open.ts";

/** Of one file, and of all of a workspace. What is larger is compared by its stamp, and cannot be put back. */
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

/** `path`: one character for each byte. */
export function pathBytes(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(root.endsWith("/") ? root : `${root}/`), Buffer.from(path, "latin1")]);
}

/** `null`: it has none, is gone, closed to us, or too large. */
export function readContent(path: Buffer, kind: "file" | "link" | "other", room: Room): Buffer | null {
  try {
    const content = kind === "file" ? readFile(path, room) : kind === "link" ? readLink(path) : null;
    room.take(content);
    return content;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

function readLink(path: Buffer): Buffer {
  return readlinkSync(path as unknown as string, { encoding: "buffer" });
}

function readFile(path: Buffer, room: Room): Buffer | null {
  // Not through a link, and not waiting for a pipe, should one have taken its place.
  const fd = openSync(path as unknown as string, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && room.fits(stat.size) ? readAll(fd, stat.size) : null;
  } finally {
    closeSync(fd);
  }
}
