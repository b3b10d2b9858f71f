// Where an output may be cut: not within a word. It may be a secret, which nobody recognises by its half.

const LINE_END = 10;

/** How far from a cut a better place is looked for. */
export function reachIn(room: number): number {
  return room < 256 ? 0 : Math.min(4096, Math.floor(room / 8));
}

/** How many bytes to leave out at the end, where a line or else a word was cut in two; all within reach when it is one word. */
export function brokenEnd(bytes: Uint8Array, reach: number): number {
  const from = Math.max(0, bytes.length - reach);
  const line = bytes.lastIndexOf(LINE_END);
  if (line >= from) return bytes.length - line - 1;
  for (let at = bytes.length; at > from; at--) if (!isPartOfWord(bytes[at - 1])) return bytes.length - at;
  return bytes.length - from;
}

/** The same at the beginning. */
export function brokenStart(bytes: Uint8Array, reach: number): number {
  const to = Math.min(bytes.length, reach);
  const line = bytes.subarray(0, to).indexOf(LINE_END);
  if (line >= 0) return line + 1;
  for (let at = 0; at < to; at++) if (!isPartOfWord(bytes[at])) return at;
  return to;
}

/** Of a token as vendors and encodings write it, or of any character beyond ASCII. */
function isPartOfWord(byte = 0): boolean {
  return byte >= 0x80 || /[\w.~+/=%-]/.test(String.fromCharCode(byte));
}
