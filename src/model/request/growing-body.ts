const firstSize = 64 * 1024;
const encoder = new TextEncoder();

/**
 * The bytes of a request around a growing history. Each message is serialized once and appended, and the whole body is never
 * one string. Messages are recognized by identity, so the caller must pass the same objects again.
 */
export class GrowingBody {
  #bytes = new Uint8Array(firstSize);
  #used = 0;
  #head = "";
  #written: readonly object[] = [];
  #count = 0;

  /** Writes `head`, whose list is open, the messages and `tail`. Valid until the next call; `fetch` copies it at once. */
  of(head: string, messages: readonly object[], tail: string): Uint8Array<ArrayBuffer> {
    if (head !== this.#head || !this.#isExtendedBy(messages)) this.#restart(head);
    for (; this.#count < messages.length; this.#count++) {
      const isFirst = this.#count === 0 && head.endsWith("[");
      this.#add(`${isFirst ? "" : ","}${JSON.stringify(messages[this.#count])}`);
    }
    this.#written = messages;
    const end = this.#used;
    this.#add(tail);
    const whole = this.#bytes.subarray(0, this.#used);
    this.#used = end;
    return whole;
  }

  #restart(head: string): void {
    this.#used = 0;
    this.#head = head;
    this.#written = [];
    this.#count = 0;
    this.#add(head);
  }

  /** The same array can only have grown; another one is compared from its beginning. */
  #isExtendedBy(messages: readonly object[]): boolean {
    if (messages.length < this.#count) return false;
    if (messages === this.#written) return true;
    for (let at = 0; at < this.#count; at++) if (messages[at] !== this.#written[at]) return false;
    return true;
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
