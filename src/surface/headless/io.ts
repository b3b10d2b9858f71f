import { writeSync } from "node:fs";

/** Standard streams without `process.stdout`: its first use costs 8 ms in the compiled binary. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isErrTerminal: boolean;
  /** Called once when whoever read our output has gone; what is written afterwards is dropped. */
  readonly onClosed: (handler: () => void) => void;
}

export function realIo(isErrTerminal: boolean): Io {
  let isClosed = false;
  let handler: (() => void) | null = null;
  const write = (fd: number) => (text: string) => {
    if (isClosed || writeAll(fd, text)) return;
    isClosed = true;
    handler?.();
  };
  return {
    out: write(1),
    err: write(2),
    isErrTerminal,
    onClosed: (given) => {
      handler = given;
      if (isClosed) given();
    },
  };
}

const encoder = new TextEncoder();
/** A pipe that nobody empties for this long is as good as closed. */
const MAX_WAIT_MS = 30_000;
const CLOSED: ReadonlySet<unknown> = new Set(["EPIPE", "EIO", "EBADF", "ENXIO"]);

/** Writes everything, also to a slow pipe that someone who shares it has set non-blocking. false = the reader is gone. */
function writeAll(fd: number, text: string): boolean {
  let bytes = encoder.encode(text);
  for (let waited = 0; bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
      waited = 0;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      if (CLOSED.has(code) || waited >= MAX_WAIT_MS) return false;
      if (code !== "EAGAIN") throw error;
      Bun.sleepSync(1);
      waited++;
    }
  }
  return true;
}

/** Text from outside, made harmless for a terminal: control, bidi and invisible characters become visible (SAFETY). */
export function plain(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
