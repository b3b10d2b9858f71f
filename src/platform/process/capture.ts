// Captures one output stream: shown live and kept bounded, in constant memory.
import { brokenEnd, brokenStart, reachIn, wholeLength } from "./border.ts";

/** Keeps at most `maxBytes` of UTF-8: everything, or head and tail around a line with the number of omitted bytes. */
export function keepBounded(maxBytes: number) {
  const half = Math.floor(maxBytes / 2);
  const capacity = 3 * half + 1;
  let buffer = new Uint8Array(Math.min(capacity, 4096));
  let used = 0;
  let total = 0;

  const addPiece = (piece: Uint8Array): void => {
    if (used + piece.length > capacity) {
      buffer.copyWithin(half, used - half, used);
      used = 2 * half;
    }
    if (used + piece.length > buffer.length) {
      const larger = new Uint8Array(Math.min(capacity, Math.max(2 * buffer.length, used + piece.length)));
      larger.set(buffer.subarray(0, used));
      buffer = larger;
    }
    buffer.set(piece, used);
    used += piece.length;
  };

  return {
    add: (chunk: Uint8Array) => {
      total += chunk.length;
      if (half === 0) return;
      for (let at = 0; at < chunk.length; at += half) addPiece(chunk.subarray(at, at + half));
    },
    text: () => {
      const kept = buffer.subarray(0, used);
      if (total <= maxBytes) {
        const text = decode(kept);
        // An invalid byte becomes three when it is replaced, so decoding can exceed the limit.
        if (Buffer.byteLength(text) <= maxBytes) return { text, isCut: false };
      }
      const first = kept.subarray(0, half);
      const last = kept.subarray(Math.max(half, used - half));
      const head = fit(first.subarray(0, first.length - brokenEnd(first, reachIn(half))), half, wholeEnd);
      const tail = fit(last.subarray(brokenStart(last, reachIn(half))), half, wholeStart);
      const missing = total - head.bytes - tail.bytes;
      return { text: `${head.text}\n[… ${missing} bytes left out …]\n${tail.text}`, isCut: true };
    },
  };
}

/** This much of the skipped output is shown after a flood, so that the user sees where it stopped. */
const lastBytes = 16_384;

/** Passes text on as it arrives. Keeps characters that span chunks whole, and thins out a flood to what a screen can take. */
export function showLive(
  bytesPerSecond: number,
  show: (text: string) => void,
  clock: () => number = () => performance.now(),
) {
  let decoder = newDecoder();
  let windowStart = Number.NEGATIVE_INFINITY;
  let shown = 0;
  let skipped = 0;
  /** A word that may be cut in two when the next chunk is skipped. */
  let held = new Uint8Array();
  let last = new Uint8Array();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reach = reachIn(bytesPerSecond);

  const skip = (chunk: Uint8Array, now: number): void => {
    const bytes = Buffer.concat([last, held, chunk]);
    skipped += held.length + chunk.length;
    last = bytes.slice(Math.max(0, bytes.length - lastBytes));
    held = new Uint8Array();
    timer ??= setTimeout(showLast, Math.max(0, windowStart + 1000 - now));
  };
  const showLast = (): void => {
    const chunk = last;
    skipped -= chunk.length;
    windowStart = Number.NEGATIVE_INFINITY;
    take(chunk);
  };
  const take = (chunk: Uint8Array): void => {
    const now = clock();
    if (now - windowStart >= 1000) {
      windowStart = now;
      shown = 0;
    }
    if (shown > bytesPerSecond) {
      skip(chunk, now);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    last = new Uint8Array();
    shown += chunk.length;
    let bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (skipped > 0) {
      bytes = bytes.subarray(brokenStart(bytes, reach));
      show(`\n[… ${skipped + chunk.length - bytes.length} bytes not shown …]\n`);
      // The skipped bytes may have ended in the middle of a character.
      decoder = newDecoder();
      skipped = 0;
    }
    held = bytes.slice(bytes.length - (shown > bytesPerSecond ? brokenEnd(bytes, reach) : 0));
    const text = decoder.decode(bytes.subarray(0, bytes.length - held.length), { stream: true });
    if (text !== "") show(text);
  };
  // `end` cancels the pending output of held-back text.
  return { show: take, end: () => clearTimeout(timer) };
}

/** Keeps the BOM: it is part of what the command printed. */
const newDecoder = (): TextDecoder => new TextDecoder("utf-8", { ignoreBOM: true });
const decode = (bytes: Uint8Array): string => newDecoder().decode(bytes);

type Cut = (bytes: Uint8Array, length: number) => Uint8Array;

function fit(source: Uint8Array, room: number, cut: Cut): { text: string; bytes: number } {
  for (let length = source.length; ; ) {
    const bytes = cut(source, length);
    const text = decode(bytes);
    const size = Buffer.byteLength(text);
    if (size <= room) return { text, bytes: bytes.length };
    length = Math.floor((length * room) / size);
  }
}

const wholeEnd: Cut = (bytes, length) => bytes.subarray(0, wholeLength(bytes.subarray(0, length)));

/** The last bytes, without an incomplete character at the start. */
const wholeStart: Cut = (bytes, length) => {
  let start = bytes.length - length;
  const last = Math.min(bytes.length, start + 3);
  while (start < last && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
};

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
