import { constants, fstatSync, openSync } from "node:fs";
import { FdWriter } from "./fd-writer.ts";

const CLOSED: ReadonlySet<string> = new Set(["EPIPE", "EIO", "EBADF", "ENXIO"]);
/** A reader with this much pending output is as good as gone. */
const MAX_WAITING = 256 * 1024 * 1024;

/** Not `process.stdout`, whose first use costs 8 ms in the compiled binary, and which blocks on a pipe that nobody reads. */
export class StreamOutput {
  /** Why output was lost although its reader was there (a full disk). */
  failure: string | null = null;
  private isClosed = false;
  private handler: (() => void) | null = null;
  private readonly writer: FdWriter;

  constructor(fd: number) {
    let own: number | null = null;
    const descriptor = (): number => {
      own ??= ownDescriptor(fd);
      return own;
    };
    this.writer = new FdWriter(descriptor, { lost: (code) => this.close(code) });
  }

  write(text: string): void {
    this.writer.write(text);
    if (this.writer.left > MAX_WAITING) this.writer.lose("EPIPE");
  }

  onClosed(handler: () => void): void {
    this.handler = handler;
    if (this.isClosed) handler();
  }

  async drained(patienceMs: number): Promise<void> {
    await this.writer.drained(patienceMs);
  }

  private close(code: string): void {
    if (!CLOSED.has(code)) this.failure = code;
    this.isClosed = true;
    this.handler?.();
  }
}

/** Reopened through /proc, a pipe has its own mode: other processes that share it keep theirs. */
function ownDescriptor(fd: number): number {
  if (process.platform !== "linux" || !fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // No /proc, or the reader is already gone: the next write reports it.
    return fd;
  }
}
