import { fstatSync } from "node:fs";

/** Major device numbers of memory devices on Linux, /dev/null among them. */
const MEMORY_DEVICES = 1;

/**
 * Whether a descriptor is a terminal. `node:tty` knows for sure, but loading it costs 3 ms at every start, so it is asked
 * only about character devices that may be one.
 */
export function isTerminal(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    if (!stat.isCharacterDevice()) return false;
    if (process.platform === "linux" && stat.rdev >> 8 === MEMORY_DEVICES) return false;
  } catch {
    // A closed descriptor is no terminal.
    return false;
  }
  return (require("node:tty") as typeof import("node:tty")).isatty(fd);
}
