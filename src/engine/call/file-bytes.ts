import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { errnoOf, orElse } from "../../platform/files/failure.ts";

/** Identifies a version of a file: any change gives another value. */
type FileMoment = string;

const clockTickMs = 20;

/** The bytes of a regular file of at most `most` bytes whose version is wanted; else `null`, also when it cannot be read. */
export function bytesAt(real: string, most: number, isWanted: (moment: FileMoment) => boolean): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.size > most || !isWanted(momentIn(real, stat))) return null;
    const bytes = Buffer.alloc(Number(stat.size));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function momentOf(real: string): FileMoment | null {
  return orElse(() => momentIn(real, lstatSync(real, { bigint: true })), null);
}

/** The version of a file not modified since `ms`. The margin covers file systems whose clock lags. */
export function momentSince(real: string, ms: number): FileMoment | null {
  const stat = orElse(() => lstatSync(real, { bigint: true }), null);
  const isOld = stat?.isFile() && Math.max(Number(stat.mtimeMs), Number(stat.ctimeMs)) < ms - clockTickMs;
  return stat && isOld ? momentIn(real, stat) : null;
}

function momentIn(real: string, { ino, size, mtimeNs, ctimeNs }: BigIntStats): FileMoment {
  return [real, ino, size, mtimeNs, ctimeNs].join(" ");
}
