/** Everything that one run has started: its branch of the cancel tree. */
export class Scope {
  readonly runId: string;
  private readonly controller = new AbortController();
  private readonly inFlight = new Set<Promise<void>>();

  constructor(runId: string) {
    this.runId = runId;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The work must settle soon after the signal, and report through events instead of rejecting. */
  track(work: Promise<void>): void {
    this.inFlight.add(work);
    void work.finally(() => this.inFlight.delete(work));
  }

  abort(): void {
    this.controller.abort();
  }

  async settled(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }
}
