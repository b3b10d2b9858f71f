// Diffs are computed from disk after their calls. A resumed session has many, so only a few run at a time.

const atOnce = 4;

interface AskedDiff {
  readonly callId: string;
  /** `problem`: the fault, if the diff could not be computed. */
  readonly then: (text: string | null, problem: string) => void;
}

export class Diffs {
  private readonly changesOf: (callId: string) => Promise<string | null>;
  private readonly changed: () => void;
  private readonly waiting: AskedDiff[] = [];
  private running = 0;

  constructor(changesOf: (callId: string) => Promise<string | null>, changed: () => void) {
    this.changesOf = changesOf;
    this.changed = changed;
  }

  ask(callId: string, then: AskedDiff["then"]): void {
    this.waiting.push({ callId, then });
    void this.next();
  }

  private async next(): Promise<void> {
    if (this.running >= atOnce) return;
    const asked = this.waiting.shift();
    if (!asked) return;
    this.running++;
    try {
      asked.then(await this.changesOf(asked.callId), "");
    } catch (error) {
      asked.then(null, error instanceof Error ? error.message : String(error));
    }
    this.running--;
    this.changed();
    void this.next();
  }
}
