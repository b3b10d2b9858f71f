import type { CallId } from "../contract/ids.ts";
import { cleanStream, withoutHalves } from "./clean.ts";

type Stream = "stdout" | "stderr";
type Show = (callId: CallId, stream: Stream, text: string) => void;

interface Open {
  readonly callId: CallId;
  readonly stream: Stream;
  readonly redacting: ReturnType<typeof cleanStream>;
}

/** What commands write while they run: shown as soon as no secret can be in it. */
export class Outputs {
  private readonly shown: Show;
  private readonly open = new Map<string, Open>();

  constructor(show: Show) {
    this.shown = show;
  }

  show(callId: CallId, stream: Stream, text: string): void {
    const key = `${callId} ${stream}`;
    const one = this.open.get(key) ?? { callId, stream, redacting: cleanStream() };
    this.open.set(key, one);
    this.tell(one, one.redacting.push(text));
  }

  /** What was held back, before its result is shown. */
  end(callId: CallId): void {
    for (const [key, one] of this.open) {
      if (one.callId !== callId) continue;
      this.open.delete(key);
      this.tell(one, withoutHalves(one.redacting.end()));
    }
  }

  private tell({ callId, stream }: Open, text: string): void {
    if (text !== "") this.shown(callId, stream, text);
  }
}
