// Lines that a person types, each with the time at which it came.

export interface TypedLine {
  readonly text: string;
  readonly at: number;
}

/** Ctrl+C and Ctrl+D, where they are characters. */
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
    // Of a terminal that has gone.
    process.stdin.on("error", this.end);
  }

  /** `null`: no more come. */
  async next(): Promise<TypedLine | null> {
    while (this.ready.length === 0 && !this.hasEnded) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.wake = resolve;
      await promise;
    }
    return this.ready.shift() ?? null;
  }

  /** What is typed is not shown. `null`: no more come, or the person does not want to say it. */
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
    // Nobody ends a line with these, and all that counts is that they came.
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

/** As a terminal does it that shows what is typed. */
function withoutErased(text: string): string {
  let kept: string[] = [];
  for (const sign of text) {
    if (sign === "\x7f" || sign === "\b") kept = kept.slice(0, -1);
    else if (sign === "\x15") kept = [];
    else kept.push(sign);
  }
  return kept.join("");
}
