import type { CallId } from "../../contract/ids.ts";
import { cleanStream, withoutHalves } from "../call/redact.ts";

type Stream = "stdout" | "stderr";
type Show = (callId: CallId, stream: Stream, text: string) => void;

interface Open {
  readonly callId: CallId;
  readonly stream: Stream;
  readonly redacting: ReturnType<typeof cleanStream>;
  waiting: string;
}

/** About the frame rate an eye can see; a program may write thousands of lines per second. */
const pauseMs = 33;
/** Maximum size of one piece; with this much waiting, the pause ends early. */
const mostChars = 65_536;

/** Live output of commands: the first piece at once, then larger ones, each only when it cannot contain a secret. */
export class Outputs {
  private readonly shown: Show;
  private readonly open = new Map<string, Open>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pauseEnds = Number.NEGATIVE_INFINITY;

  constructor(show: Show) {
    this.shown = show;
  }

  show(callId: CallId, stream: Stream, text: string): void {
    const key = `${callId} ${stream}`;
    const one = this.open.get(key) ?? { callId, stream, redacting: cleanStream(), waiting: "" };
    this.open.set(key, one);
    one.waiting += text;
    const left = this.pauseEnds - performance.now();
    if (left <= 0 || one.waiting.length >= mostChars) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), left);
  }

  /** Flushes the held-back rest before the result is shown. */
  end(callId: CallId): void {
    for (const [key, one] of this.open) {
      if (one.callId !== callId) continue;
      this.open.delete(key);
      this.tell(one, one.redacting.push(one.waiting) + withoutHalves(one.redacting.end()));
    }
    if (this.open.size === 0) this.stopTimer();
  }

  private flush(): void {
    this.stopTimer();
    for (const one of this.open.values()) {
      const { waiting } = one;
      if (waiting === "") continue;
      one.waiting = "";
      this.tell(one, one.redacting.push(waiting));
    }
    // Measured from here, so that a slow surface leaves time to read more.
    this.pauseEnds = performance.now() + pauseMs;
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private tell({ callId, stream }: Open, text: string): void {
    for (let at = 0; at < text.length; ) {
      const end = at + mostChars;
      // Not within a surrogate pair.
      const to = end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? "") ? end - 1 : end;
      this.shown(callId, stream, text.slice(at, to));
      at = to;
    }
  }
}
