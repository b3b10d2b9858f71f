// What is written to a terminal: in order, and without ever waiting for it. One that is slow, or that nobody reads for a while, must not
// stop the work; `process.stdout` would, since it blocks on terminals.
import { constants, openSync, writeSync } from "node:fs";

/** Between tries, while nothing is taken. */
const RETRY_MS = 5;
const LONGEST_RETRY_MS = 80;
/** So long the end of the program waits for a terminal that takes nothing. A slow line takes some every two seconds. */
const END_MS = 1_000;
const LONGEST_MS = 3_000;
/** Breaks off whatever sequence a terminal is in the middle of. */
const BREAK_OFF = "\x18";

const encoder = new TextEncoder();

export class TtyOutput {
  private readonly fd = ownDescriptor();
  private waiting: Uint8Array[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private retryMs = RETRY_MS;
  private isLost = false;
  private readonly handlers: { drained: () => void; lost: () => void } = { drained: () => {}, lost: () => {} };

  /** Something was not taken yet. */
  get isBehind(): boolean {
    return this.waiting.length > 0;
  }

  /** `drained`: all was taken, after it was not. `lost`: nobody is there any more; what is written from then on is dropped. */
  follow(handlers: { readonly drained: () => void; readonly lost: () => void }): void {
    Object.assign(this.handlers, handlers);
    if (this.isLost) handlers.lost();
  }

  write(text: string): void {
    if (this.isLost || text === "") return;
    this.waiting.push(encoder.encode(text));
    if (this.timer === null) this.push();
  }

  /** Until all is taken, or nothing was for so long, and no longer than anybody would wait. */
  async drained(patienceMs: number): Promise<void> {
    const end = performance.now() + LONGEST_MS;
    let left = this.left();
    for (let quiet = 0; left > 0 && quiet < patienceMs && performance.now() < end; quiet += RETRY_MS) {
      await Bun.sleep(RETRY_MS);
      if (this.left() < left) quiet = 0;
      left = this.left();
    }
  }

  /** Before it returns, for the end of the program. What waits and is not taken soon is dropped, for `instead`. */
  writeNow(text: string, instead = text): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const isTaken = this.pushFor(END_MS);
    if (this.isLost) return;
    this.waiting = [encoder.encode(isTaken ? text : `${BREAK_OFF}${instead}`)];
    this.pushFor(END_MS);
  }

  private left(): number {
    return this.waiting.reduce((sum, { length }) => sum + length, 0);
  }

  private push(): void {
    this.timer = null;
    if (this.taken()) return;
    this.timer = setTimeout(() => {
      const before = this.left();
      this.push();
      this.retryMs = this.left() < before ? RETRY_MS : Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
      if (!this.isBehind) this.handlers.drained();
    }, this.retryMs);
  }

  private pushFor(ms: number): boolean {
    for (const end = performance.now() + ms; !this.taken(); Bun.sleepSync(RETRY_MS))
      if (performance.now() > end) return false;
    return true;
  }

  /** All of it, now. */
  private taken(): boolean {
    for (let bytes = this.waiting[0]; bytes; bytes = this.waiting[0]) {
      const written = this.tryWrite(bytes);
      if (written < bytes.length) {
        if (this.isLost) break;
        this.waiting[0] = bytes.subarray(written);
        return false;
      }
      this.waiting.shift();
    }
    return true;
  }

  private tryWrite(bytes: Uint8Array): number {
    try {
      return writeSync(this.fd, bytes);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code === "") throw error;
      if (code !== "EAGAIN") this.lose();
      return 0;
    }
  }

  private lose(): void {
    this.isLost = true;
    this.waiting = [];
    this.handlers.lost();
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
