// Keys pressed before a question was visible must not answer it. After it draws a question, coder asks the terminal for its status: the
// reply arrives behind all keys pressed before, however slow the connection is.

interface GateDeps {
  readonly ask: () => void;
  readonly hasAnswered: () => boolean;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

const STATUS = "\x1b[0n";
/** Nobody reads and answers a question faster. */
const SHORTEST = 250;
/** How long to wait for a terminal that has never answered. */
const WITHOUT_ANSWER = 800;
/** Keys this close together come from a buffer, not from a finger. */
const BURST = 15;
/** The same key within this time is being held down. */
const HELD = 120;
/** The limit for terminals that do answer, and for bursts: answers get lost, and the user must not be locked out. */
const LONGEST = 3000;
/** Answers come in the order of the queries, and no connection is slower than this. */
const LATEST = 30_000;
/** A user who is typing does not look up between two keys; before an answer they pause this long. */
const TYPING = 500;

export class Gate {
  private readonly deps: GateDeps;
  private closedAt = Number.NEGATIVE_INFINITY;
  private quietFrom = Number.NEGATIVE_INFINITY;
  /** When the unanswered queries were sent; the next answer belongs to the first one. */
  private unanswered: readonly number[] = [];
  private typedAt = Number.NEGATIVE_INFINITY;
  private isHeld = false;
  private last: { readonly key: string; readonly at: number } | null = null;

  constructor(deps: GateDeps) {
    this.deps = deps;
  }

  /** A question has just appeared on the screen. */
  close(): void {
    const now = this.deps.now();
    this.closedAt = now;
    this.quietFrom = now;
    this.last = null;
    this.isHeld = false;
    this.unanswered = [...this.unanswered.filter((at) => now - at < LATEST), now];
    this.deps.ask();
  }

  /** A key went into a text, or sent it. */
  typed(isSent: boolean): void {
    this.typedAt = isSent ? Number.NEGATIVE_INFINITY : this.deps.now();
  }

  /** Takes every key sequence. `answered`: it was a status reply and not a key. */
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
