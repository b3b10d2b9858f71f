import { fstatSync } from "node:fs";

/** Major device number of memory devices on Linux, such as /dev/null. */
const MEMORY_DEVICES = 1;

/** `node:tty` knows for sure, but loading it costs 3 ms, so it is asked only about character devices that may be a terminal. */
export function isTerminal(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    if (!stat.isCharacterDevice()) return false;
    if (process.platform === "linux" && stat.rdev >> 8 === MEMORY_DEVICES) return false;
  } catch {
    // A closed descriptor.
    return false;
  }
  return (require("node:tty") as typeof import("node:tty")).isatty(fd);
}
