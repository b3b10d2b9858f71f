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
  /** What stands in `#bytes`: this head and system text, then these messages. */
  #head = "";
  #system = "";
  #written: readonly LanguageModelV4Message[] = [];
  #count = 0;

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
    if (head !== this.#head || system !== this.#system || !this.#goesOn(messages)) this.#restart(head, system);
    for (; this.#count < messages.length; this.#count++) {
      const isFirst = this.#count === 0 && system === "";
      const message = messages[this.#count];
      if (message !== undefined) this.#add(`${isFirst ? "" : ","}${this.#json(message)}`);
    }
    this.#written = messages;
    const end = this.#used;
    this.#add(tail);
    const whole = this.#bytes.subarray(0, this.#used);
    this.#used = end;
    return whole;
  }

  #restart(head: string, system: string): void {
    this.#used = 0;
    this.#head = head;
    this.#system = system;
    this.#written = [];
    this.#count = 0;
    this.#add(head);
    if (system !== "") this.#add(this.#json({ role: "system", content: system }));
  }

  /** A list that only grew begins as it did; of another one the beginning is compared. */
  #goesOn(messages: readonly LanguageModelV4Message[]): boolean {
    if (messages.length < this.#count) return false;
    if (messages === this.#written) return true;
    for (let at = 0; at < this.#count; at++) if (messages[at] !== this.#written[at]) return false;
    return true;
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
