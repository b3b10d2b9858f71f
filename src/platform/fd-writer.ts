import { writeSync } from "node:fs";

/** Between tries, while nothing is taken. */
const RETRY_MS = 5;
const LONGEST_RETRY_MS = 80;
const encoder = new TextEncoder();

export interface FdEvents {
  /** All was taken, after it was not. */
  readonly drained?: () => void;
  /** By this error nobody takes anything any more; what is written from then on is dropped. */
  readonly lost: (code: string) => void;
}

/** What is written to a descriptor, in order, and without ever waiting for who reads it: what is not taken stays here. */
export class FdWriter {
  private readonly descriptor: () => number;
  private readonly events: FdEvents;
  private waiting: Uint8Array[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private retryMs = RETRY_MS;
  private isLost = false;
  /** Bytes that were not taken yet. */
  left = 0;

  /** `descriptor`: one that does not block, asked for when there is something to write. */
  constructor(descriptor: () => number, events: FdEvents) {
    this.descriptor = descriptor;
    this.events = events;
  }

  write(text: string): void {
    if (this.isLost || text === "") return;
    this.put(text);
    if (this.timer === null) this.push();
  }

  /** Until all is taken, or nothing was for `patienceMs`, and no longer than `longestMs`. */
  async drained(patienceMs: number, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
    const end = performance.now() + longestMs;
    let { left } = this;
    for (let quiet = 0; this.left > 0 && quiet < patienceMs && performance.now() < end; quiet += RETRY_MS) {
      await Bun.sleep(RETRY_MS);
      if (this.left < left) quiet = 0;
      left = this.left;
    }
  }

  /** Before it returns, for the end of the program; whether all that waited was taken in time. */
  pushFor(ms: number): boolean {
    this.stop();
    for (const end = performance.now() + ms; !this.taken(); Bun.sleepSync(RETRY_MS))
      if (performance.now() > end) return false;
    return true;
  }

  /** Instead of what waits. */
  replace(text: string): void {
    this.waiting = [];
    this.left = 0;
    if (!this.isLost) this.put(text);
  }

  lose(code: string): void {
    this.isLost = true;
    this.stop();
    this.waiting = [];
    this.left = 0;
    this.events.lost(code);
  }

  private put(text: string): void {
    const bytes = encoder.encode(text);
    this.waiting.push(bytes);
    this.left += bytes.length;
  }

  private stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private push(): void {
    this.timer = null;
    if (this.taken()) return;
    this.timer = setTimeout(() => {
      const before = this.left;
      this.push();
      this.retryMs = this.left < before ? RETRY_MS : Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
      if (this.left === 0) this.events.drained?.();
    }, this.retryMs);
  }

  /** All of it, now. */
  private taken(): boolean {
    for (let bytes = this.waiting[0]; bytes; bytes = this.waiting[0]) {
      const written = this.tryWrite(bytes);
      if (this.isLost) break;
      this.left -= written;
      if (written < bytes.length) {
        this.waiting[0] = bytes.subarray(written);
        return false;
      }
      this.waiting.shift();
    }
    return true;
  }

  private tryWrite(bytes: Uint8Array): number {
    try {
      return writeSync(this.descriptor(), bytes);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code === "") throw error;
      if (code !== "EAGAIN") this.lose(code);
      return 0;
    }
  }
}
