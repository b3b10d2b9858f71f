// The time by the file system's clock: the kernel or another machine sets its timestamps, and their clocks may differ from ours.
import { closeSync, constants, fstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../files/failure.ts";
import { orNull } from "../files/probe.ts";

/** O_DIRECTORY has other numbers on other architectures. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** In milliseconds since 1970: the timestamp of a new file in this folder. Falls back to our own clock. */
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

/** For file systems without O_TMPFILE: a name like our other temporary files, which every look ignores. */
function named(folder: string): number {
  const path = join(folder, `.coder-${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}-0.tmp`);
  const time = orNull(() => {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    unlinkSync(path);
    return timeOf(fd);
  });
  return time ?? Date.now();
}
