import type { Exchange } from "./exchange.ts";
import type { Failure } from "./fault.ts";
import type { WireNotes } from "./sdk-stream.ts";

export type WireEvent = Readonly<Record<string, unknown>>;

/** What becomes of an event before the SDK sees it: the events to hand on, or why the reply ends here. */
type Verdict = readonly WireEvent[] | Failure;

/** Knows the events of one protocol, for one reply. */
export interface EventJudge extends WireNotes {
  /** `data`: the event as it was sent. */
  judge(event: WireEvent, data: string): Verdict;
  /** Whether nothing can follow; where absent, once it is said how the reply ended. */
  isOver?(): boolean;
  /** What to add when the body has ended. */
  end?(): readonly WireEvent[];
}

/**
 * A stream of server-sent events in which the SDK finds only what it understands. Its schemas refuse a whole reply for an
 * unknown event in front, a missing id or an id used twice, all of which servers send.
 */
export function gated(
  body: ReadableStream<Uint8Array>,
  judge: EventJudge,
  exchange: Exchange,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const events = new EventLines();
  const encoder = new TextEncoder();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      let passed = "";
      if (done) {
        for (const event of judge.end?.() ?? []) passed += sse(event);
        if (passed !== "") controller.enqueue(encoder.encode(passed));
        return controller.close();
      }
      for (const data of events.push(value)) {
        exchange.eventRead();
        const verdict = verdictOn(data, judge);
        if ("kind" in verdict) {
          if (passed !== "") controller.enqueue(encoder.encode(passed));
          exchange.fail(verdict);
          return controller.close();
        }
        for (const event of verdict) passed += sse(event);
      }
      exchange.completed(judge.isOver?.() ?? judge.finish() !== null);
      if (passed !== "") return controller.enqueue(encoder.encode(passed));
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

function sse(event: WireEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function verdictOn(data: string, judge: EventJudge): Verdict {
  if (data.trim() === "" || data.trim() === "[DONE]") return [];
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch (error) {
    return { kind: "unreadable", detail: error instanceof Error ? error.message : "" };
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    return { kind: "unreadable", detail: "an event is no JSON object" };
  }
  return judge.judge(event as WireEvent, data);
}

/** Bytes → the data of whole events. An event is complete with the empty line behind it. */
class EventLines {
  readonly #decoder = new TextDecoder();
  /** The line that has no end yet; in pieces, because one event may be as long as a reply. */
  #line: string[] = [];
  #data: string[] = [];
  #endedWithReturn = false;

  push(bytes: Uint8Array): readonly string[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (this.#endedWithReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") this.#endedWithReturn = text.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    const found: string[] = [];
    for (const line of lines.slice(0, -1)) {
      this.#line.push(line);
      this.#take(this.#line.join(""), found);
      this.#line = [];
    }
    this.#line.push(lines.at(-1) ?? "");
    return found;
  }

  #take(line: string, found: string[]): void {
    if (line.startsWith("data:")) this.#data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "" || this.#data.length === 0) return;
    found.push(this.#data.join("\n"));
    this.#data = [];
  }
}
