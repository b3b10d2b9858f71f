// UTF-8 with a few bytes that are not: a log cut in the middle, a file that two programs wrote. Each such byte becomes
// half a surrogate pair, which no UTF-8 text holds, so that all others stay readable and every byte comes back.

/** One in so many characters outside ASCII may be broken; with more it is another encoding. */
const leastGood = 10;

export function isMostlyUtf8(bytes: Buffer): boolean {
  let good = 0;
  let bad = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 1) good++;
    else if (length === 0) bad++;
    at += length || 1;
  }
  return bad * leastGood <= good;
}

export function decodeStray(bytes: Buffer): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      parts.push(bytes.toString("utf8", done, at), String.fromCharCode(0xdc00 + bytes[at]!));
      done = at + 1;
    }
    at += length || 1;
  }
  return parts.join("") + bytes.toString("utf8", done);
}

/** The bytes, or the first character that does not fit. */
export function encodeStray(text: string): Buffer | { readonly misfit: string } {
  const parts: Buffer[] = [];
  // Whole pairs are not found by this: with `u` they are one character.
  for (const part of text.split(/([\udc80-\udcff])/u)) {
    const unit = part.charCodeAt(0);
    const isStray = part.length === 1 && unit >= 0xdc80 && unit <= 0xdcff;
    if (!isStray && !part.isWellFormed()) return { misfit: "\ufffd" };
    parts.push(isStray ? Buffer.of(unit - 0xdc00) : Buffer.from(part));
  }
  return Buffer.concat(parts);
}

/** Bytes of the UTF-8 code at this place; 0 when there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  // Too long a form, half a surrogate pair, or beyond the last character.
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  for (let index = 1; index < length; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
