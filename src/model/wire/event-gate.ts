import type { Failure } from "../fault/fault.ts";
import type { WireNotes } from "../sdk-stream.ts";
import { EventLines } from "./event-lines.ts";
import type { WireEvent } from "./event-reader.ts";
import type { Exchange, Gate } from "./exchange.ts";

/** What becomes of an event before the SDK sees it: the events to hand on, or why the reply ends here. */
export type Verdict = readonly WireEvent[] | Failure;

/** Knows the events of one protocol, for one reply. */
export interface EventJudge extends WireNotes {
  /** `data`: the event as it was sent. */
  judge(event: WireEvent, data: string): Verdict;
  /** Whether nothing can follow; where absent, once it is said how the reply ended. */
  isOver?(): boolean;
  /** What to add when the body has ended. */
  end?(): readonly WireEvent[];
  /** Fewer events that say the same: those that arrived together. */
  join?(events: readonly WireEvent[]): readonly WireEvent[];
}

/**
 * A stream of server-sent events in which the SDK finds only what it understands. Its schemas refuse a whole reply for an
 * unknown event in front, a missing id or an id used twice, all of which servers send.
 */
export class EventGate implements Gate {
  readonly #judge: EventJudge;
  readonly #exchange: Exchange;
  readonly #lines = new EventLines();
  #isDone = false;
  #isShut = false;

  constructor(judge: EventJudge, exchange: Exchange) {
    this.#judge = judge;
    this.#exchange = exchange;
  }

  get isShut(): boolean {
    return this.#isShut;
  }

  push(bytes: Uint8Array): string {
    const passed: WireEvent[] = [];
    for (const data of this.#lines.push(bytes)) {
      this.#exchange.eventRead();
      const verdict = this.#verdictOn(data.trim());
      if ("kind" in verdict) {
        this.#isShut = true;
        this.#exchange.fail(verdict);
        return this.#written(passed);
      }
      for (const event of verdict) passed.push(event);
    }
    this.#exchange.completed(this.#isDone || (this.#judge.isOver?.() ?? this.#judge.finish() !== null));
    return this.#written(passed);
  }

  end(): string {
    return this.#isShut ? "" : this.#written(this.#judge.end?.() ?? []);
  }

  #written(events: readonly WireEvent[]): string {
    let text = "";
    for (const event of this.#judge.join?.(events) ?? events) text += `data: ${JSON.stringify(event)}\n\n`;
    return text;
  }

  #verdictOn(data: string): Verdict {
    if (data === "[DONE]") this.#isDone = true;
    if (data === "" || data === "[DONE]") return [];
    let event: unknown;
    try {
      event = JSON.parse(data);
    } catch (error) {
      return { kind: "unreadable", detail: error instanceof Error ? error.message : "" };
    }
    if (typeof event !== "object" || event === null || Array.isArray(event)) {
      return { kind: "unreadable", detail: "an event is no JSON object" };
    }
    return this.#judge.judge(event as WireEvent, data);
  }
}
