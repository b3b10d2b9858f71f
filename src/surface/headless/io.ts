import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { plainJson } from "../../contract/show/visible.ts";

/** Standard streams without `process.stdout`: its first use costs 8 ms in the compiled binary. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isErrTerminal: boolean;
  /** Called once when whoever read our output has gone; what is written afterwards is dropped. */
  readonly onClosed: (handler: () => void) => void;
  /** Waits until all of stdout is written, its reader is gone, or `patienceMs` have passed without any progress. */
  readonly drained: (patienceMs: number) => Promise<void>;
  /** Why output was lost although its reader was there (a full disk); `null` when it was not. */
  readonly failure: () => string | null;
}

export function realIo(isErrTerminal: boolean): Io {
  const out = new Writer(1);
  const err = new Writer(2);
  return {
    out: (text) => out.write(text),
    err: (text) => err.write(text),
    isErrTerminal,
    onClosed: (handler) => out.onClosed(handler),
    drained: async (patienceMs) => {
      await out.drained(patienceMs);
      await err.drained(patienceMs);
    },
    failure: () => out.failure,
  };
}

const encoder = new TextEncoder();
const CLOSED: ReadonlySet<string> = new Set(["EPIPE", "EIO", "EBADF", "ENXIO"]);
const RETRY_MS = 5;
/** More than this waiting for a reader that does not read is as good as a reader that is gone. */
const MAX_WAITING = 256 * 1024 * 1024;

/**
 * One stream, in order. A pipe that nobody empties must not hold up signals, timeouts or anything else, so a pipe is
 * written through a descriptor of our own that does not block, and what it does not take waits here.
 */
class Writer {
  failure: string | null = null;
  private readonly fd: number;
  private own: number | null = null;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private isClosed = false;
  private handler: (() => void) | null = null;

  constructor(fd: number) {
    this.fd = fd;
  }

  write(text: string): void {
    if (this.isClosed || text === "") return;
    this.waiting.push(encoder.encode(text));
    this.waitingBytes += this.waiting.at(-1)?.length ?? 0;
    if (this.waiting.length === 1) this.push();
    else if (this.waitingBytes > MAX_WAITING) this.close("EPIPE");
  }

  onClosed(handler: () => void): void {
    this.handler = handler;
    if (this.isClosed) handler();
  }

  async drained(patienceMs: number): Promise<void> {
    let left = this.waitingBytes;
    for (let quiet = 0; !this.isClosed && this.waitingBytes > 0 && quiet < patienceMs; quiet += RETRY_MS) {
      await Bun.sleep(RETRY_MS);
      if (this.waitingBytes < left) quiet = 0;
      left = this.waitingBytes;
    }
  }

  private push(): void {
    for (let bytes = this.waiting[0]; bytes && !this.isClosed; bytes = this.waiting[0]) {
      const written = this.tryWrite(bytes);
      if (written === null) return;
      this.waitingBytes -= written;
      if (written < bytes.length) this.waiting[0] = bytes.subarray(written);
      else this.waiting.shift();
    }
  }

  /** `null` = not now; it is tried again by itself. */
  private tryWrite(bytes: Uint8Array): number | null {
    try {
      return writeSync(this.descriptor(), bytes);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code === "EAGAIN") setTimeout(() => this.push(), RETRY_MS);
      else if (code === "") throw error;
      else this.close(code);
      return null;
    }
  }

  private close(code: string): void {
    if (!CLOSED.has(code)) this.failure = code;
    this.isClosed = true;
    this.waiting = [];
    this.waitingBytes = 0;
    this.handler?.();
  }

  /** Opened anew through /proc, a pipe has a mode of its own: whoever shares it keeps theirs. */
  private descriptor(): number {
    if (this.own !== null) return this.own;
    this.own = this.fd;
    if (process.platform !== "linux" || !fstatSync(this.fd).isFIFO()) return this.fd;
    try {
      this.own = openSync(`/proc/self/fd/${this.fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      // Without /proc, or a reader that has gone already: the ordinary way finds out.
      this.own = this.fd;
    }
    return this.own;
  }
}

/** For JSON on stdout. */
export function jsonLine(value: unknown): string {
  return `${plainJson(value)}\n`;
}
