// A folder may become a symlink at any moment, so the file at the real path must confirm each of ripgrep's results.
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { maxWholeBytes, readAll } from "../files/open.ts";
import { orNull } from "../files/probe.ts";
import { decodeText } from "../files/text/encoding.ts";

export interface Reported {
  /** As ripgrep prints it: `./` from the root, or absolute. */
  readonly path: Buffer;
  readonly text: Buffer;
}

/** The confirmed ones, in order. Hits of one file come in line order. */
export function confirmed<T extends Reported>(reported: readonly T[], root: string): readonly T[] {
  const byFile = Map.groupBy(reported, ({ path }) => path.toString("latin1"));
  return [...byFile.values()].flatMap((group) => {
    const fd = openHeld(realOf(group[0]!.path, root));
    if (fd === null) return [];
    try {
      return confirmedIn(fd, group);
    } finally {
      closeSync(fd);
    }
  });
}

export function realOf(path: Buffer, root: string): Buffer {
  const named = path.toString("latin1", 0, 2) === "./" ? path.subarray(2) : path;
  return named[0] === 0x2f ? named : Buffer.concat([Buffer.from(`${root === "/" ? "" : root}/`), named]);
}

/** Opens a regular file only at its real path; names need not be UTF-8. `null`: missing, or another file. */
export function openHeld(real: Buffer): number | null {
  const fd = orNull(() => openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  if (fd === null) return null;
  if (fstatSync(fd).isFile() && placeOf(fd, real)?.equals(real)) return fd;
  closeSync(fd);
  return null;
}

/** Without /proc, resolves the path again. */
function placeOf(fd: number, real: Buffer): Buffer | null {
  const opened = orNull(() => readlinkSync(`/proc/self/fd/${fd}`, { encoding: "buffer" }));
  return opened ?? orNull(() => realpathSync.native(real, { encoding: "buffer" }));
}

const comparedBytes = 1000;
const chunkBytes = 4 * 2 ** 20;

function confirmedIn<T extends Reported>(fd: number, group: readonly T[]): readonly T[] {
  const { size } = fstatSync(fd);
  const needles = group.map(({ text }) => bare(text).subarray(0, comparedBytes));
  if (size > maxWholeBytes) return group.slice(0, countInChunks(fd, needles));
  const bytes = readAll(fd, size);
  const decoded = /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString("latin1", 0, 2)) ? decodeText(bytes) : null;
  const content = decoded === null ? bytes : Buffer.from(decoded.text);
  let from = 0;
  return group.filter((_, index) => {
    const at = content.indexOf(needles[index]!, from);
    if (at !== -1) from = at;
    return at !== -1;
  });
}

/** Ripgrep ends a last line without a line break like the others, with the carriage return that it learned from them. */
function bare(text: Buffer): Buffer {
  return text.at(-1) === 0x0d ? text.subarray(0, -1) : text;
}

/** Number of leading needles that occur one after the other. */
function countInChunks(fd: number, needles: readonly Buffer[]): number {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let count = 0;
  for (let position = 0; ; position += chunkBytes - comparedBytes) {
    const part = chunk.subarray(0, readSync(fd, chunk, 0, chunkBytes, position));
    for (let from = 0; count < needles.length; count++) {
      const at = part.indexOf(needles[count]!, from);
      if (at === -1) break;
      from = at;
    }
    if (count === needles.length || part.length < chunkBytes) return count;
  }
}
