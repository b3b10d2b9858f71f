// Joins pieces of a reply that arrive faster than a person can see, because one piece costs as much on its way as many. The
// first piece never waits, and nothing waits at the end of the body.
import type { ReadableStreamReadResult } from "node:stream/web";

/** Since the last hand-over: pieces are gathered until DUE_MS, and wait for one more at most until LATEST_MS. */
const DUE_MS = 55;
const LATEST_MS = 80;
const MOST_BYTES = 65_536;

type ReadPiece = ReadableStreamReadResult<Uint8Array>;

export class Pieces {
  readonly #read: () => Promise<ReadPiece>;
  #open: Promise<ReadPiece> | null = null;
  #handedAt = Number.NEGATIVE_INFINITY;

  constructor(read: () => Promise<ReadPiece>) {
    this.#read = read;
  }

  async next(): Promise<ReadPiece> {
    const first = await (this.#open ?? this.#read());
    this.#open = null;
    if (first.done) return first;
    const all = await this.#gathered(first.value);
    this.#handedAt = performance.now();
    return { done: false, value: all };
  }

  async #gathered(first: Uint8Array): Promise<Uint8Array> {
    const pieces = [first];
    for (let bytes = first.byteLength; bytes < MOST_BYTES && this.#sinceMs() < DUE_MS; ) {
      this.#open = this.#read();
      const piece = await this.#inTime(this.#open);
      if (piece === null) break;
      this.#open = null;
      pieces.push(piece);
      bytes += piece.byteLength;
    }
    return pieces.length === 1 ? first : Buffer.concat(pieces);
  }

  #sinceMs(): number {
    return performance.now() - this.#handedAt;
  }

  /** `null` if no further piece arrives in time. */
  async #inTime(piece: Promise<ReadPiece>): Promise<Uint8Array | null> {
    const { promise, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, LATEST_MS - this.#sinceMs(), null);
    try {
      return (await Promise.race([piece, promise]))?.value ?? null;
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}
