import { writeSync } from "node:fs";

/** Standard streams without `process.stdout`: its first use costs 8 ms in the compiled binary. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isErrTerminal: boolean;
}

/** Raised when whoever read our output has gone; the caller cancels and leaves. */
export class OutputClosed extends Error {}

export function realIo(isErrTerminal: boolean): Io {
  return { out: (text) => writeAll(1, text), err: (text) => writeAll(2, text), isErrTerminal };
}

const encoder = new TextEncoder();

/** Writes everything, also to a slow pipe that is set non-blocking by whoever shares it. */
function writeAll(fd: number, text: string): void {
  let bytes = encoder.encode(text);
  for (let waited = 0; bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
      waited = 0;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      if (code === "EAGAIN" && waited < 10_000) {
        Bun.sleepSync(1);
        waited++;
      } else if (code === "EPIPE" || code === "EIO" || code === "EBADF" || code === "EAGAIN") {
        throw new OutputClosed(String(code));
      } else {
        throw error;
      }
    }
  }
}

/** Text from outside, made harmless for a terminal: control, bidi and invisible characters become visible (SAFETY). */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
