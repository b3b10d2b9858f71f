// What is written to a terminal: in order, and without ever waiting for it. One that is slow, or that nobody reads for a while, must not
// stop the work; `process.stdout` would, since it blocks on terminals.
import { constants, openSync } from "node:fs";
import { FdWriter } from "./fd-writer.ts";

/** So long the end of the program waits for a terminal that takes nothing. A slow line takes some every two seconds. */
const END_MS = 1_000;
const LONGEST_MS = 3_000;
/** Breaks off whatever sequence a terminal is in the middle of. */
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

  /** Something was not taken yet. */
  get isBehind(): boolean {
    return this.writer.left > 0;
  }

  /** `drained`: all was taken, after it was not. `lost`: nobody is there any more; what is written from then on is dropped. */
  follow(handlers: { readonly drained: () => void; readonly lost: () => void }): void {
    Object.assign(this.handlers, handlers);
    if (this.isLost) handlers.lost();
  }

  write(text: string): void {
    this.writer.write(text);
  }

  /** Until all is taken, or nothing was for so long, and no longer than anybody would wait. */
  async drained(patienceMs: number): Promise<void> {
    await this.writer.drained(patienceMs, LONGEST_MS);
  }

  /** Before it returns, for the end of the program. What waits and is not taken soon is dropped, for `instead`. */
  writeNow(text: string, instead = text): void {
    const isTaken = this.writer.pushFor(END_MS);
    this.writer.replace(isTaken ? text : `${BREAK_OFF}${instead}`);
    this.writer.pushFor(END_MS);
  }
}

/** A mode of our own: whoever shares the terminal keeps theirs. */
function ownDescriptor(): number {
  const path = process.platform === "linux" ? "/proc/self/fd/1" : "/dev/tty";
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // A terminal of somebody else, after su: what is slow is then waited for.
    return 1;
  }
}
