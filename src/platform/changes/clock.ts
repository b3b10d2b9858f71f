// What time it is for the disk: its times are set by the kernel, or by another machine, whose clock need not be ours.
import { closeSync, constants, fstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../files/failure.ts";

/** O_DIRECTORY has another number on another machine. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** In milliseconds since 1970, by the time that a new file in this folder gets. Our own time where none can be made. */
export function diskTime(folder: string): number {
  try {
    return process.platform === "linux" ? timeOf(openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600)) : named(folder);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return ["EOPNOTSUPP", "EINVAL", "EISDIR"].includes(errnoOf(error) ?? "") ? named(folder) : Date.now();
  }
}

function timeOf(fd: number): number {
  try {
    const { ctimeNs } = fstatSync(fd, { bigint: true });
    return Number(ctimeNs / 1_000n) / 1_000;
  } finally {
    closeSync(fd);
  }
}

/** A disk without files that have no name: with one like our other temporary files, which nobody looks at. */
function named(folder: string): number {
  const path = join(folder, `.coder-${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}-0.tmp`);
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    unlinkSync(path);
    return timeOf(fd);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return Date.now();
  }
}
