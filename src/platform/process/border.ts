// Finds where output may be cut: never within a word. It may be a secret, and redaction does not recognise half of one.

const LINE_END = 10;

/** How far from a cut to look for a better place. */
export function reachIn(room: number): number {
  return room < 256 ? 0 : Math.min(4096, Math.floor(room / 8));
}

/** Number of bytes to drop at the end, where a cut split a line or word; the whole reach if it is one word. */
export function brokenEnd(bytes: Uint8Array, reach: number): number {
  const from = Math.max(0, bytes.length - reach);
  const line = bytes.lastIndexOf(LINE_END);
  if (line >= from) return bytes.length - line - 1;
  for (let at = bytes.length; at > from; at--) if (!isPartOfWord(bytes[at - 1])) return bytes.length - at;
  return bytes.length - from;
}

export function brokenStart(bytes: Uint8Array, reach: number): number {
  const to = Math.min(bytes.length, reach);
  const line = bytes.subarray(0, to).indexOf(LINE_END);
  if (line >= 0) return line + 1;
  for (let at = 0; at < to; at++) if (!isPartOfWord(bytes[at])) return at;
  return to;
}

/** A byte of a token in any usual encoding, or of a non-ASCII character. */
function isPartOfWord(byte = 0): boolean {
  return byte >= 0x80 || /[\w.~+/=%-]/.test(String.fromCharCode(byte));
}

/** The length without an incomplete UTF-8 character at the end. */
export function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
