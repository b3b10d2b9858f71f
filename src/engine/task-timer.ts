/** How long to wait before looking again whether the person has answered. */
const LOOK_AGAIN_MS = 250;

/** The time budget of a task. While a person is waited for, it does not run out (SM-3). */
export class TaskTimer {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly maxMs: number | null;
  private readonly isWaiting: () => boolean;
  private readonly onTimeout: (taskId: string) => void;

  constructor(maxMs: number | null, isWaiting: () => boolean, onTimeout: (taskId: string) => void) {
    this.maxMs = maxMs;
    this.isWaiting = isWaiting;
    this.onTimeout = onTimeout;
  }

  start(taskId: string): void {
    this.stop();
    if (this.maxMs === null) return;
    const ring = () => {
      if (this.isWaiting()) this.timer = setTimeout(ring, LOOK_AGAIN_MS);
      else this.onTimeout(taskId);
    };
    this.timer = setTimeout(ring, this.maxMs);
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
