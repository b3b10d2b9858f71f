import type { LanguageModelV4Message } from "@ai-sdk/provider";

/** The SDK's own conversion to the wire's messages: one for each given. */
type Convert = (prompt: LanguageModelV4Message[]) => readonly unknown[];

const firstSize = 64 * 1024;
const encoder = new TextEncoder();

/**
 * The bytes of a request around a growing conversation. A run sends its whole history at every step, so each message is
 * converted and written once, behind those already there: the next request costs its new messages only, and no string of
 * the whole body is ever made. Messages are known by identity: the caller hands in the same objects again.
 */
export class WireHistory {
  readonly #convert: Convert;
  #bytes = new Uint8Array(firstSize);
  #used = 0;
  /** What stands in `#bytes`: this opening, then these messages. */
  #opening = "";
  #written: readonly LanguageModelV4Message[] = [];

  constructor(convert: Convert) {
    this.#convert = convert;
  }

  /** `head`, the messages of system text and conversation, `tail`. Good until the next call: `fetch` copies it at once. */
  body(
    head: string,
    system: string,
    messages: readonly LanguageModelV4Message[],
    tail: string,
  ): Uint8Array<ArrayBuffer> {
    const opening = system === "" ? head : `${head}${this.#json({ role: "system", content: system })}`;
    if (opening !== this.#opening || !beginsWith(messages, this.#written)) this.#restart(opening);
    for (const message of messages.slice(this.#written.length)) {
      const isFirst = this.#used === this.#openingBytes && system === "";
      this.#add(`${isFirst ? "" : ","}${this.#json(message)}`);
    }
    this.#written = messages;
    const end = this.#used;
    this.#add(tail);
    const whole = this.#bytes.subarray(0, this.#used);
    this.#used = end;
    return whole;
  }

  #openingBytes = 0;

  #restart(opening: string): void {
    this.#used = 0;
    this.#opening = opening;
    this.#written = [];
    this.#add(opening);
    this.#openingBytes = this.#used;
  }

  #json(message: LanguageModelV4Message): string {
    return JSON.stringify(this.#convert([message])[0]);
  }

  #add(text: string): void {
    // UTF-8 takes at most three bytes for each UTF-16 unit.
    const needed = this.#used + text.length * 3;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    this.#used += encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
  }
}

function beginsWith(list: readonly LanguageModelV4Message[], start: readonly LanguageModelV4Message[]): boolean {
  return start.length <= list.length && start.every((message, at) => message === list[at]);
}
