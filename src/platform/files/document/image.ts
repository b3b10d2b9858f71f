// Reads an image's headers. Decodes no pixels; checks every length against the actual bytes.
import type { ImageRef } from "../../../contract/message.ts";

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

type MediaType = ImageRef["mediaType"];

/** `null`: damaged. A provider refuses such an image, and every later request too, because it stays in the history. */
export function imageSize(bytes: Buffer, type: MediaType): ImageSize | null {
  const size = sizers[type](bytes);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

const sizers: Readonly<Record<MediaType, (bytes: Buffer) => ImageSize | null>> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/gif": gifSize,
  "image/webp": webpSize,
};

function pngSize(bytes: Buffer): ImageSize | null {
  let size: ImageSize | null = null;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    const name = bytes.toString("latin1", at + 4, at + 8);
    // Decoders tolerate a wrong checksum only in ancillary chunks, whose names begin with a lower-case letter.
    const isNeeded = (bytes[at + 4]! & 0x20) === 0;
    if (isNeeded && Bun.hash.crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    if (at === 8) {
      if (name !== "IHDR" || length !== 13) return null;
      size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    }
    hasPixels ||= name === "IDAT";
    if (name === "IEND") return hasPixels ? size : null;
    at = end;
  }
  return null;
}

const endMark = Buffer.from([0xff, 0xd9]);

function jpegSize(bytes: Buffer): ImageSize | null {
  let size: ImageSize | null = null;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) return bytes.lastIndexOf(endMark) > at ? size : null;
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return null;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return null;
    // C4, C8 and CC are tables among the frame headers.
    const isFrame = marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame && length >= 8) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + length;
  }
  return null;
}

function gifSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 13) return null;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let at = 13 + colourBytes(bytes[10]!);
  for (;;) {
    const kind = bytes[at];
    if (kind === 0x21) at = afterBlocks(bytes, at + 2);
    // One complete picture is enough; the rest is animation.
    else if (kind === 0x2c && at + 11 < bytes.length)
      return afterBlocks(bytes, at + 11 + colourBytes(bytes[at + 9]!)) <= bytes.length ? size : null;
    else return null;
  }
}

function colourBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** The offset behind a chain of length-prefixed blocks that ends with an empty one; beyond the end of the bytes if unterminated. */
function afterBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length;
  return at + 1;
}

function webpSize(bytes: Buffer): ImageSize | null {
  const end = bytes.length < 30 ? 0 : bytes.readUInt32LE(4) + 8;
  if (end > bytes.length) return null;
  let hasPixels = false;
  for (let at = 12; at + 8 <= end; ) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return null;
    hasPixels ||= ["VP8 ", "VP8L", "ANMF"].includes(bytes.toString("latin1", at, at + 4));
    at += 8 + length + (length & 1);
  }
  return hasPixels ? webpFirst(bytes) : null;
}

function webpFirst(bytes: Buffer): ImageSize | null {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      if (bytes[20] !== 0x2f) return null;
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
