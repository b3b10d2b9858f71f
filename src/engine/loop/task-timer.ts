import { type RunningLimit, startLimit } from "../../platform/limit.ts";

const againMs = 1_000;

/** A task's time budget. It is paused while waiting for the user (SM-3). */
export class TaskTimer {
  private limit: RunningLimit | null = null;
  private taskId: string | null = null;
  private leftMs = 0;
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

  /** Called after every event, since each may begin or end a wait. */
  look(): void {
    const { taskId } = this;
    if (taskId === null) return;
    if (this.isWaiting()) this.pause();
    else
      this.limit ??= startLimit(this.leftMs, () => {
        this.limit = null;
        // A time-out may come in a phase that ignores it, so it repeats until the task ends.
        this.leftMs = againMs;
        this.onTimeout(taskId);
      });
  }

  private pause(): void {
    if (this.limit === null) return;
    this.leftMs = this.limit.left();
    this.limit.stop();
    this.limit = null;
  }

  stop(): void {
    this.pause();
    this.taskId = null;
  }
}
