// The newest part of an endless output, read piece by piece, in constant memory.

export interface Tail {
  readonly add: (chunk: Uint8Array) => void;
  /** How many bytes have come so far. */
  readonly total: () => number;
  /** What came after the first `from` bytes, as far as it is still kept; `missing` bytes of it are not. */
  readonly since: (from: number, isOver: boolean) => TailPiece;
}

export interface TailPiece {
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
      const kept = Math.min(used, maxBytes, total - from);
      const bytes = buffer.subarray(used - kept, used);
      // A character whose rest is still to come waits for it.
      const whole = isOver ? bytes.length : wholeLength(bytes);
      const start = kept < total - from ? firstWhole(bytes) : 0;
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(Math.min(start, whole), whole));
      return { text, missing: total - from - kept + start, next: total - (bytes.length - whole) };
    },
  };
}

function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function firstWhole(bytes: Uint8Array): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
