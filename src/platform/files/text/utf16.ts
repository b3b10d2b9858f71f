type Order = "utf-16le" | "utf-16be";

const marks = { "utf-16le": Buffer.from([0xff, 0xfe]), "utf-16be": Buffer.from([0xfe, 0xff]) } as const;
const orders = ["utf-16le", "utf-16be"] as const;
/** Control codes that text never contains, lone surrogates, private and unassigned characters. */
const unlikely = /[\u0000-\u0006\u000e-\u0019\u001c-\u001f\u007f-\u009f]|\p{Cs}|\p{Co}|\p{Cn}/u;

export function markedUtf16(bytes: Buffer, stretch: number): Order | null | undefined {
  const order = orders.find((one) => bytes.subarray(0, 2).equals(marks[one]));
  if (order === undefined) return undefined;
  // An odd byte or a NUL character: not UTF-16 (FF FE 00 00 starts UTF-32).
  if (bytes.length % 2 === 1) return bytes.includes(0) ? null : undefined;
  return decodeUtf16(bytes.subarray(2, stretch), order).includes("\0") ? null : order;
}

/** Only unmistakable text: white space or ASCII beside NUL bytes. Prefers the byte order with more ASCII, then that of Windows. */
export function unmarkedUtf16(bytes: Buffer, stretch: number, isPart: boolean): Order | null {
  if (bytes.length < 4 || (bytes.length % 2 === 1 && !isPart)) return null;
  const likely = orders
    .map((order) => ({ order, ascii: asciiCount(bytes.subarray(0, stretch), order) }))
    .filter(({ order, ascii }) => ascii > 0 && isLikely(bytes.subarray(0, stretch), order))
    .sort((a, b) => b.ascii - a.ascii);
  return likely.find(({ order }) => isLikely(bytes, order))?.order ?? null;
}

function asciiCount(bytes: Buffer, order: Order): number {
  const high = order === "utf-16le" ? 1 : 0;
  let count = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const low = bytes[at + 1 - high]!;
    if (bytes[at + high] === 0 && low >= 9 && low < 0x7f) count++;
  }
  return count;
}

function isLikely(bytes: Buffer, order: Order): boolean {
  const text = decodeUtf16(bytes, order);
  return !unlikely.test(/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);
}

export function decodeUtf16(bytes: Buffer, order: Order): string {
  if (order === "utf-16le") return bytes.toString("utf16le");
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString("utf16le");
}

export function encodeUtf16(text: string, order: Order, hasMark: boolean): Buffer {
  const body = Buffer.from(text, "utf16le");
  if (order === "utf-16be") body.swap16();
  return hasMark ? Buffer.concat([marks[order], body]) : body;
}
