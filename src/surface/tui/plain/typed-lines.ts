export interface TypedLine {
  readonly text: string;
  readonly at: number;
}

/** Ctrl+C and Ctrl+D as characters, in raw mode. */
const LEAVING = /[\x03\x04]/;

export class Lines {
  private readonly ready: TypedLine[] = [];
  private rest = "";
  private hasEnded = false;
  private isSecret = false;
  private wake: (() => void) | null = null;

  constructor() {
    process.stdin.setEncoding("utf8");
    process.stdin.on("data", this.hear);
    process.stdin.on("end", this.end);
    process.stdin.on("error", this.end);
  }

  async next(): Promise<TypedLine | null> {
    while (this.ready.length === 0 && !this.hasEnded) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.wake = resolve;
      await promise;
    }
    return this.ready.shift() ?? null;
  }

  /** Without echo. `null`: end of input, or the user declined. */
  async secret(): Promise<string | null> {
    this.isSecret = true;
    process.stdin.setRawMode?.(true);
    try {
      const text = (await this.next())?.text ?? null;
      return text === null || LEAVING.test(text) ? null : withoutErased(text);
    } finally {
      this.isSecret = false;
      process.stdin.setRawMode?.(false);
    }
  }

  stop(): void {
    process.stdin.off("data", this.hear);
    process.stdin.off("end", this.end);
    process.stdin.pause();
  }

  private readonly hear = (text: string): void => {
    // These keys come without a line break, but must end the line.
    const whole = this.isSecret ? text.replace(LEAVING, "$&\n") : text;
    const lines = (this.rest + whole).split(/\r\n|\n|\r/);
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.ready.push({ text: line, at: performance.now() });
    if (lines.length > 0) this.wake?.();
  };

  private readonly end = (): void => {
    this.hasEnded = true;
    this.wake?.();
  };
}

/** Applies backspace and Ctrl+U, which the terminal does not handle in raw mode. */
function withoutErased(text: string): string {
  let kept: string[] = [];
  for (const sign of text) {
    if (sign === "\x7f" || sign === "\b") kept = kept.slice(0, -1);
    else if (sign === "\x15") kept = [];
    else kept.push(sign);
  }
  return kept.join("");
}
