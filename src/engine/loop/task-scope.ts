/** Everything one run has started: the cancel tree's branch for it. */
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

  /** The work must settle by itself soon after the signal; it reports through events, never by rejecting. */
  track(work: Promise<void>): void {
    this.inFlight.add(work);
    void work.finally(() => this.inFlight.delete(work));
  }

  abort(): void {
    this.controller.abort();
  }

  /** Resolves when nothing of this run is going on any more. */
  async settled(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }
}
