// Keeps the end of an unbounded output, readable in pieces, in constant memory.
import { brokenStart, reachIn, wholeLength } from "./border.ts";

/** Of the output of a job, both streams together. */
export const KEEP_BYTES = 256 * 1024;

export interface Tail {
  readonly add: (chunk: Uint8Array) => void;
  readonly total: () => number;
  /** Output after the first `from` bytes, as far as it is still kept; `missing` bytes are not. */
  readonly since: (from: number, isOver: boolean) => TailPiece;
}

interface TailPiece {
  readonly text: string;
  readonly missing: number;
  readonly next: number;
}

export function keepTail(maxBytes: number): Tail {
  let buffer = new Uint8Array(Math.min(maxBytes, 4096));
  let used = 0;
  let total = 0;

  const makeRoom = (bytes: number): void => {
    if (used + bytes <= buffer.length) return;
    const size = Math.min(2 * maxBytes, Math.max(2 * buffer.length, used + bytes));
    const kept = Math.min(used, size - bytes, maxBytes);
    const larger = size > buffer.length ? new Uint8Array(size) : buffer;
    larger.set(buffer.subarray(used - kept, used));
    buffer = larger;
    used = kept;
  };

  return {
    add: (chunk) => {
      total += chunk.length;
      const piece = chunk.subarray(Math.max(0, chunk.length - maxBytes));
      makeRoom(piece.length);
      buffer.set(piece, used);
      used += piece.length;
    },
    total: () => total,
    since: (from, isOver) => {
      const kept = buffer.subarray(Math.max(0, used - maxBytes), used);
      const oldest = total - kept.length;
      const begin = Math.max(from, oldest === 0 ? 0 : oldest + firstWhole(kept, reachIn(maxBytes)));
      const bytes = kept.subarray(begin - oldest);
      const whole = isOver ? bytes.length : wholeLength(bytes);
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, whole));
      return { text, missing: begin - from, next: begin + whole };
    },
  };
}

/** Start of the first whole line, or else of the first whole word; in any case of a character. */
function firstWhole(bytes: Uint8Array, reach: number): number {
  let start = brokenStart(bytes, reach);
  const last = Math.min(start + 3, bytes.length);
  while (start < last && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
