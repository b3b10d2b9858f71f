// Keys that were pressed before a question could be seen do not answer it. What a terminal is asked after it has drawn something, it
// answers behind every key that was pressed before that, however long the line to it is.

interface GateDeps {
  /** Asks the terminal for its status. */
  readonly ask: () => void;
  /** It has answered something that it was asked before, whatever that was. */
  readonly hasAnswered: () => boolean;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

const STATUS = "\x1b[0n";
/** Nobody reads a question and answers it in less. */
const SHORTEST = 250;
/** So long is waited for an answer from a terminal that has never given any. */
const WITHOUT_ANSWER = 800;
/** Keys that come so close together were not pressed by a finger but waited somewhere. */
const BURST = 15;
/** The same key again, so soon: it is being held down since before. */
const HELD = 120;
/** And so long for one that has, and for the end of bursts: answers get lost, and nobody must be locked out. A held key can be let go. */
const LONGEST = 3000;
/** An answer comes in the order of the questions, and no line is so slow that one comes after this. */
const LATEST = 30_000;
/** Somebody who writes a text does not look up between two keys, but stops for so long before they answer a question. */
const TYPING = 500;

export class Gate {
  private readonly deps: GateDeps;
  private closedAt = Number.NEGATIVE_INFINITY;
  private quietFrom = Number.NEGATIVE_INFINITY;
  /** When the questions were asked that are not answered yet. The next answer is that of the first of them. */
  private unanswered: readonly number[] = [];
  private typedAt = Number.NEGATIVE_INFINITY;
  private isHeld = false;
  private last: { readonly key: string; readonly at: number } | null = null;

  constructor(deps: GateDeps) {
    this.deps = deps;
  }

  /** Something that wants an answer is on the screen since now. */
  close(): void {
    const now = this.deps.now();
    this.closedAt = now;
    this.quietFrom = now;
    this.last = null;
    this.isHeld = false;
    this.unanswered = [...this.unanswered.filter((at) => now - at < LATEST), now];
    this.deps.ask();
  }

  /** A key went into a text that is being written, or sent it off. */
  typed(isSent: boolean): void {
    this.typedAt = isSent ? Number.NEGATIVE_INFINITY : this.deps.now();
  }

  /** Everything that comes from the terminal. `answered`: it was for the gate alone. */
  hear(sequence: string): "answered" | null {
    if (sequence === STATUS) {
      this.unanswered = this.unanswered.slice(1);
      return "answered";
    }
    if (!this.isOpen) this.note(sequence);
    return null;
  }

  get isOpen(): boolean {
    const now = this.deps.now();
    if (now - this.typedAt < TYPING) return false;
    const since = now - this.closedAt;
    const longest = this.deps.hasAnswered() ? LONGEST : WITHOUT_ANSWER;
    if (since < (this.unanswered.length === 0 ? SHORTEST : longest)) return false;
    return now >= this.quietFrom || (since >= LONGEST && !this.isHeld);
  }

  private note(key: string): void {
    const at = this.deps.now();
    const since = this.last === null ? Number.POSITIVE_INFINITY : at - this.last.at;
    this.isHeld = this.last?.key === key && since < HELD;
    this.quietFrom = at + (this.isHeld || since < BURST ? HELD : BURST);
    this.last = { key, at };
  }
}
