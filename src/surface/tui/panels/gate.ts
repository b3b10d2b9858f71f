// Keys that were pressed before a question could be seen do not answer it. What a terminal is asked after it has drawn something, it
// answers behind every key that was pressed before that, however long the line to it is.

interface GateDeps {
  /** Asks the terminal for its status. */
  readonly ask: () => void;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

const STATUS = "\x1b[0n";
/** Nobody reads a question and answers it in less. */
const SHORTEST = 250;
/** So long is waited for an answer from a terminal that has never given one. */
const WITHOUT_ANSWER = 800;
/** Keys that come so close together were not pressed by a finger but waited somewhere. */
const BURST = 15;
/** The same key again, so soon: it is being held down since before. */
const HELD = 120;
/** And so long for one that has, and for the end of bursts: answers get lost, and nobody must be locked out. */
const LONGEST = 3000;
/** Somebody who writes a text does not look up between two keys, but stops for so long before they answer a question. */
const TYPING = 500;

export class Gate {
  private readonly deps: GateDeps;
  private closedAt = Number.NEGATIVE_INFINITY;
  private quietFrom = Number.NEGATIVE_INFINITY;
  private unanswered = 0;
  private isAnswering = false;
  private typedAt = Number.NEGATIVE_INFINITY;
  private last: { readonly key: string; readonly at: number } | null = null;

  constructor(deps: GateDeps) {
    this.deps = deps;
  }

  /** Something that wants an answer is on the screen since now. */
  close(): void {
    const now = this.deps.now();
    if (now - this.closedAt >= LONGEST) this.unanswered = 0;
    this.closedAt = now;
    this.quietFrom = now;
    this.last = null;
    this.unanswered++;
    this.deps.ask();
  }

  /** A key went into a text that is being written, or sent it off. */
  typed(isSent: boolean): void {
    this.typedAt = isSent ? Number.NEGATIVE_INFINITY : this.deps.now();
  }

  /** Everything that comes from the terminal. `answered`: it was for the gate alone. */
  hear(sequence: string): "answered" | null {
    if (sequence === STATUS) {
      this.unanswered = Math.max(0, this.unanswered - 1);
      this.isAnswering = true;
      return "answered";
    }
    if (!this.isOpen) this.note(sequence);
    return null;
  }

  get isOpen(): boolean {
    const now = this.deps.now();
    if (now - this.typedAt < TYPING) return false;
    const since = now - this.closedAt;
    const longest = this.isAnswering ? LONGEST : WITHOUT_ANSWER;
    if (since < (this.unanswered === 0 ? SHORTEST : longest)) return false;
    return since >= LONGEST || now >= this.quietFrom;
  }

  private note(key: string): void {
    const at = this.deps.now();
    const since = this.last === null ? Number.POSITIVE_INFINITY : at - this.last.at;
    const isHeld = this.last?.key === key && since < HELD;
    this.quietFrom = at + (isHeld || since < BURST ? HELD : BURST);
    this.last = { key, at };
  }
}
