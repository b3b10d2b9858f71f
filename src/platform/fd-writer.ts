import { writeSync } from "node:fs";

/** Delay between attempts while the descriptor accepts nothing. */
const RETRY_MS = 5;
const LONGEST_RETRY_MS = 80;
const encoder = new TextEncoder();

export interface FdEvents {
  readonly drained?: () => void;
  /** After this error nobody reads any more; later writes are dropped. */
  readonly lost: (code: string) => void;
}

/** Writes to a descriptor in order, without ever waiting for its reader: unwritten bytes are queued here. */
export class FdWriter {
  private readonly descriptor: () => number;
  private readonly events: FdEvents;
  private waiting: Uint8Array[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private retryMs = RETRY_MS;
  private isLost = false;
  left = 0;

  /** `descriptor`: a non-blocking one, requested at the first write. */
  constructor(descriptor: () => number, events: FdEvents) {
    this.descriptor = descriptor;
    this.events = events;
  }

  write(text: string): void {
    if (this.isLost || text === "") return;
    this.put(text);
    if (this.timer === null) this.push();
  }

  /** Waits until everything is written, or nothing was for `patienceMs`, but at most `longestMs`. */
  async drained(patienceMs: number, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
    const end = performance.now() + longestMs;
    let { left } = this;
    for (let quiet = 0; this.left > 0 && quiet < patienceMs && performance.now() < end; quiet += RETRY_MS) {
      await Bun.sleep(RETRY_MS);
      if (this.left < left) quiet = 0;
      left = this.left;
    }
  }

  /** Synchronous, for the end of the program; returns whether the queue was written in time. */
  pushFor(ms: number): boolean {
    this.stop();
    for (const end = performance.now() + ms; !this.flush(); Bun.sleepSync(RETRY_MS))
      if (performance.now() > end) return false;
    return true;
  }

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
    if (this.flush()) return;
    this.timer = setTimeout(() => {
      const before = this.left;
      this.push();
      this.retryMs = this.left < before ? RETRY_MS : Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
      if (this.left === 0) this.events.drained?.();
    }, this.retryMs);
  }

  /** Writes as much as possible now; returns whether the queue is empty. */
  private flush(): boolean {
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
