// UTF-8 with a few invalid bytes: a log cut in the middle, a file written by two programs. Each invalid byte becomes a lone surrogate,
// which valid UTF-8 cannot contain, so that the rest stays readable and every byte survives a round trip.

/** At most one in this many non-ASCII characters may be invalid; otherwise it is another encoding. */
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

export function encodeStray(text: string): Buffer | { readonly misfit: string } {
  const parts: Buffer[] = [];
  // Does not match whole surrogate pairs: with `u` they are one character.
  for (const part of text.split(/([\udc80-\udcff])/u)) {
    const unit = part.charCodeAt(0);
    const isStray = part.length === 1 && unit >= 0xdc80 && unit <= 0xdcff;
    if (!isStray && !part.isWellFormed()) return { misfit: "\ufffd" };
    parts.push(isStray ? Buffer.of(unit - 0xdc00) : Buffer.from(part));
  }
  return Buffer.concat(parts);
}

function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  // Overlong, a surrogate, or beyond the last code point.
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  for (let index = 1; index < length; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
