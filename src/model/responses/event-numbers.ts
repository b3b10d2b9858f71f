/** How far back a repeated event is recognised. */
const window = 4096;

/** Numbered events: which of them came before. Some servers number badly: then no number counts. */
export class EventNumbers {
  readonly #seen = new Map<number, number | bigint>();
  #isNumbered = true;

  /** Whether this very event was there already; `data` is what was sent. */
  isRepeated(number: unknown, data: string): boolean {
    if (!this.#isNumbered || typeof number !== "number" || !Number.isSafeInteger(number)) return false;
    const print = Bun.hash(data);
    const known = this.#seen.get(number);
    if (known !== undefined && known !== print) this.#isNumbered = false;
    this.#seen.set(number, print);
    const [oldest] = this.#seen.size > window ? this.#seen.keys() : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
    return known === print;
  }
}
