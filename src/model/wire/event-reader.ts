import { isRecord } from "../../contract/json.ts";
import type { Usage } from "../../contract/message.ts";
import type { Failure } from "../fault/fault.ts";
import type { Finish } from "../reply/finish.ts";
import type { ReplyWriter } from "../reply/reply-writer.ts";
import { type Counts, countTokens } from "../reply/token-counts.ts";
import type { Exchange } from "./exchange.ts";

export type WireEvent = Readonly<Record<string, unknown>>;

export abstract class EventDecoder {
  protected readonly reply: ReplyWriter;
  #usage: Usage | null = null;

  constructor(reply: ReplyWriter) {
    this.reply = reply;
  }

  abstract read(event: WireEvent, data: string): Failure | null;
  abstract finish(): Finish | null;

  usage(): Usage | null {
    return this.#usage;
  }

  /** Whether nothing can follow. */
  isOver(): boolean {
    return this.finish() !== null;
  }

  /** Completes the reply: writes the rest, or reports what is wrong with it as a whole. */
  end(): Failure | null {
    return null;
  }

  /** `keepsLast`: an event without counts leaves the earlier ones as they are. */
  protected count(counts: Counts, { keepsLast = false } = {}): Failure | null {
    const counted = countTokens(counts);
    if (counted !== null && "kind" in counted) return counted;
    if (counted !== null || !keepsLast) this.#usage = counted;
    return null;
  }
}

export class EventReader {
  readonly #decoder: EventDecoder;
  readonly #reply: ReplyWriter;
  readonly #exchange: Exchange;
  readonly #lines = new EventLines();
  #isDone = false;

  constructor(decoder: EventDecoder, reply: ReplyWriter, exchange: Exchange) {
    this.#decoder = decoder;
    this.#reply = reply;
    this.#exchange = exchange;
  }

  push(bytes: Uint8Array): Failure | null {
    for (const data of this.#lines.push(bytes)) {
      this.#exchange.eventRead();
      const failure = this.#read(data.trim()) ?? this.#reply.failure;
      if (failure !== null) return failure;
    }
    this.#exchange.completed(this.#isDone || this.#decoder.isOver());
    return null;
  }

  #read(data: string): Failure | null {
    if (data === "") return null;
    if (data === "[DONE]") {
      this.#isDone = true;
      return null;
    }
    let event: unknown;
    try {
      event = JSON.parse(data);
    } catch (error) {
      return { kind: "unreadable", detail: error instanceof Error ? error.message : "" };
    }
    if (!isRecord(event)) return { kind: "unreadable", detail: "an event is no JSON object" };
    return this.#decoder.read(event, data);
  }
}

/** Extracts the data of whole events. An empty line completes an event. */
class EventLines {
  readonly #decoder = new TextDecoder();
  /** The incomplete line; in pieces, because one event may be as long as a reply. */
  #line: string[] = [];
  #data: string | null = null;
  #endedWithReturn = false;

  push(bytes: Uint8Array): readonly string[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (this.#endedWithReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") this.#endedWithReturn = text.endsWith("\r");
    const lines = text.split(text.includes("\r") ? /\r\n|\n|\r/ : "\n");
    const found: string[] = [];
    const last = lines.length - 1;
    for (let at = 0; at < last; at++) {
      const line = lines[at] ?? "";
      this.#take(this.#line.length === 0 ? line : [...this.#line, line].join(""), found);
      if (this.#line.length > 0) this.#line = [];
    }
    const rest = lines[last] ?? "";
    if (rest !== "") this.#line.push(rest);
    return found;
  }

  #take(line: string, found: string[]): void {
    if (line.startsWith("data:")) {
      const data = line.slice(line[5] === " " ? 6 : 5);
      this.#data = this.#data === null ? data : `${this.#data}\n${data}`;
    } else if (line === "" && this.#data !== null) {
      found.push(this.#data);
      this.#data = null;
    }
  }
}
