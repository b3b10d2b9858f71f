// Writes to a terminal without ever waiting for it; `process.stdout` blocks on a slow or unread terminal.
import { constants, openSync } from "node:fs";
import { FdWriter } from "./fd-writer.ts";

/** How long the end of the program waits for a terminal that accepts nothing. A slow line accepts some data every two seconds. */
const END_MS = 1_000;
const LONGEST_MS = 3_000;
/** Cancels whatever sequence a terminal is in the middle of. */
const BREAK_OFF = "\x18";

export class TtyOutput {
  private isLost = false;
  private readonly handlers: { drained: () => void; lost: () => void } = { drained: () => {}, lost: () => {} };
  private readonly writer: FdWriter;

  constructor() {
    const fd = ownDescriptor();
    this.writer = new FdWriter(() => fd, {
      drained: () => this.handlers.drained(),
      lost: () => {
        this.isLost = true;
        this.handlers.lost();
      },
    });
  }

  get isBehind(): boolean {
    return this.writer.left > 0;
  }

  /** `drained`: all output was written after a delay. `lost`: nobody reads any more; later writes are dropped. */
  follow(handlers: { readonly drained: () => void; readonly lost: () => void }): void {
    Object.assign(this.handlers, handlers);
    if (this.isLost) handlers.lost();
  }

  write(text: string): void {
    this.writer.write(text);
  }

  /** Waits until everything is written, or nothing was for this long, within a bearable time. */
  async drained(patienceMs: number): Promise<void> {
    await this.writer.drained(patienceMs, LONGEST_MS);
  }

  /** Synchronous, for the end of the program. Output that is not written soon is dropped in favour of `instead`. */
  writeNow(text: string, instead = text): void {
    const isTaken = this.writer.pushFor(END_MS);
    this.writer.replace(isTaken ? text : `${BREAK_OFF}${instead}`);
    this.writer.pushFor(END_MS);
  }
}

/** Reopened for a separate mode: other processes that share the terminal keep theirs. */
function ownDescriptor(): number {
  const path = process.platform === "linux" ? "/proc/self/fd/1" : "/dev/tty";
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Another user's terminal, after su: writes block when it is slow.
    return 1;
  }
}
