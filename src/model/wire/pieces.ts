// Pieces of a reply that come faster than a person can see are handed on together: the way through all who read them costs as much for
// one as for many. The first never waits, and nothing waits once there is no more.
import type { ReadableStreamReadResult } from "node:stream/web";

/** Since the last time: a piece that comes later is handed on with those before it, and they wait for it no longer than that. */
const DUE_MS = 55;
const LATEST_MS = 80;
/** So much never waits. */
const MOST_BYTES = 65_536;

type ReadPiece = ReadableStreamReadResult<Uint8Array>;

export class Pieces {
  readonly #read: () => Promise<ReadPiece>;
  /** It was asked for, and is looked at next time. */
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

  /** `null`: what is there waits for nothing more. */
  async #inTime(piece: Promise<ReadPiece>): Promise<Uint8Array | null> {
    const { promise, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, LATEST_MS - this.#sinceMs(), null);
    try {
      return (await Promise.race([piece, promise]))?.value ?? null;
    } catch {
      // Whoever asks next is told.
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}
