// Ripgrep opens files by their paths, and a folder on the way may become a link to elsewhere at any moment. So what it reports
// is believed only where the file that lies at that real path says the same.
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { errnoOf } from "../files/failure.ts";
import { maxWholeBytes, readAll } from "../files/open.ts";
import { decodeText } from "../files/text/encoding.ts";

export interface Reported {
  /** As ripgrep names it: `./` from the root, or absolute. */
  readonly path: Buffer;
  readonly text: Buffer;
}

/** Those that are true, in their order. Within a file they come in the order of its lines. */
export function confirmed<T extends Reported>(reported: readonly T[], root: string): readonly T[] {
  const byFile = Map.groupBy(reported, ({ path }) => path.toString("latin1"));
  return [...byFile.values()].flatMap((group) => {
    const fd = openHeld(realOf(group[0]!.path, root));
    if (fd === null) return [];
    try {
      return said(fd, group);
    } finally {
      closeSync(fd);
    }
  });
}

export function realOf(path: Buffer, root: string): Buffer {
  const named = path.toString("latin1", 0, 2) === "./" ? path.subarray(2) : path;
  return named[0] === 0x2f ? named : Buffer.concat([Buffer.from(`${root === "/" ? "" : root}/`), named]);
}

/** A plain file, opened at its real path and nowhere else; names need not be UTF-8. `null` = it is not there, or another. */
export function openHeld(real: Buffer): number | null {
  let fd: number;
  try {
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
  if (fstatSync(fd).isFile() && placeOf(fd, real)?.equals(real)) return fd;
  closeSync(fd);
  return null;
}

function placeOf(fd: number, real: Buffer): Buffer | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`, { encoding: "buffer" });
  } catch {
    // No /proc: the path is resolved once more instead.
  }
  try {
    return realpathSync.native(real, { encoding: "buffer" });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

/** Lines longer than this are shown cut. */
const comparedBytes = 1000;
const chunkBytes = 4 * 2 ** 20;

function said<T extends Reported>(fd: number, group: readonly T[]): readonly T[] {
  const { size } = fstatSync(fd);
  const needles = group.map(({ text }) => bare(text).subarray(0, comparedBytes));
  if (size > maxWholeBytes) return group.slice(0, saidInChunks(fd, needles));
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

/** Ripgrep ends a last line without a break like all others, with a return where it was told of them. */
function bare(text: Buffer): Buffer {
  return text.at(-1) === 0x0d ? text.subarray(0, -1) : text;
}

/** How many of the first are there, one behind the other. */
function saidInChunks(fd: number, needles: readonly Buffer[]): number {
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
