// Runs at every start, so it uses as few system calls as possible.
import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** The C library and our own search for stray processes read these later. None contains a secret. */
const harmless =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|TZ|TZDIR|TMPDIR|LANG|LANGUAGE|LC_[A-Z]+|RES_OPTIONS|LOCALDOMAIN|HOSTALIASES|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|CODER_CALL)=/;

/** Above the kernel's default limit for an environment: a larger range cannot be ours. */
const most = 8 * 1024 * 1024;

/**
 * Every process of the same user can read our initial environment from `/proc/PID/environ` as long as we run. The runtime has its own copy
 * by now (`process.env`), so the original values are overwritten. `false`: not possible; macOS has no such file, and `ps -E` still shows
 * the values to the same user.
 */
export function emptyOwnEnviron(): boolean {
  if (process.platform !== "linux") return false;
  try {
    // The name in brackets may contain anything; env_start and env_end are fields 50 and 51.
    const stat = withFile("/proc/self/stat", "r", (file) => {
      const bytes = Buffer.allocUnsafe(1024);
      return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, null));
    });
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [start, end] = [Number(fields[47]), Number(fields[48])];
    if (!(start > 0 && end > start && end - start <= most)) return false;
    return withFile("/proc/self/mem", "r+", (memory) => {
      const block = Buffer.allocUnsafe(end - start);
      if (readSync(memory, block, 0, block.length, start) !== block.length) return false;
      blank(block);
      return writeSync(memory, block, 0, block.length, start) === block.length;
    });
  } catch {
    // No /proc, or it is not writable: the sandbox hides it from commands too.
    return false;
  }
}

function withFile<T>(path: string, how: "r" | "r+", use: (file: number) => T): T {
  const file = openSync(path, how);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** Keeps the names, so that lookups still find them. */
function blank(block: Buffer): void {
  let at = 0;
  for (const entry of block.toString("latin1").split("\0")) {
    const end = at + entry.length;
    if (!harmless.test(entry)) block.fill(0, at + entry.indexOf("=") + 1, end);
    at = end + 1;
  }
}
