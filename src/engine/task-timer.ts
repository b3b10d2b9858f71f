const againMs = 1_000;

/** The time budget of a task. While a person is waited for, it does not run (SM-3). */
export class TaskTimer {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private taskId: string | null = null;
  private leftMs = 0;
  private since = 0;
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
    this.taskId = taskId;
    this.leftMs = this.maxMs;
    this.look();
  }

  /** After every event: each may have begun or ended a wait. */
  look(): void {
    const { taskId } = this;
    if (taskId === null) return;
    if (this.isWaiting()) this.pause();
    else if (this.timer === null) {
      this.since = performance.now();
      this.timer = setTimeout(() => {
        this.timer = null;
        // What came at a moment in which it means nothing is said once more, until the task has ended.
        this.leftMs = againMs;
        this.onTimeout(taskId);
      }, this.leftMs);
    }
  }

  private pause(): void {
    if (this.timer === null) return;
    this.leftMs = Math.max(0, this.leftMs - (performance.now() - this.since));
    clearTimeout(this.timer);
    this.timer = null;
  }

  stop(): void {
    this.pause();
    this.taskId = null;
  }
}
