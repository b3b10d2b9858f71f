// Part of every start: read and written with as few calls as can be.
import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** What the C library and our own look for strays read from there later. None of them holds a secret. */
const harmless =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|TZ|TZDIR|TMPDIR|LANG|LANGUAGE|LC_[A-Z]+|RES_OPTIONS|LOCALDOMAIN|HOSTALIASES|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|CODER_CALL)=/;

/** More than the kernel hands to a program by default: what claims to be longer is not what we think it is. */
const most = 8 * 1024 * 1024;

/**
 * Every process of the same user may read `/proc/PID/environ` for as long as we run: all that we were started with. The
 * runtime has its own copy by now (`process.env`), so the values there are overwritten. `false`: they could not be; on macOS
 * there is no such file, and `ps -E` still shows them to the same user.
 */
export function emptyOwnEnviron(): boolean {
  if (process.platform !== "linux") return false;
  try {
    // The name in brackets may hold anything; env_start and env_end are fields 50 and 51.
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
    // No /proc, or a system that lets nobody write there: the sandbox does not show it to commands either.
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

/** The names stay, so that whoever looks for one of them still finds it. */
function blank(block: Buffer): void {
  let at = 0;
  for (const entry of block.toString("latin1").split("\0")) {
    const end = at + entry.length;
    if (!harmless.test(entry)) block.fill(0, at + entry.indexOf("=") + 1, end);
    at = end + 1;
  }
}
