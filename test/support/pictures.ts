// Small pictures, whole in every format as far as a decoder's first look goes.
import { deflateSync } from "node:zlib";

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(Bun.hash.crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** Grey all over; `padding` bytes go into a chunk that decoders pass over. */
export function png(width: number, height: number, grey = 128, padding = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  // A picture that is never decoded here may be as large as its header says without having its pixels.
  const pixels = deflateSync(Buffer.alloc(Math.min(height, 64) * (Math.min(width, 64) + 1), grey));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...(padding > 0 ? [chunk("tEXt", Buffer.alloc(padding, 65))] : []),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from("ffc0000b0800000000010111 00".replace(" ", ""), "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const head = Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex");
  // A table between the headers, and a fill byte before a marker, as some cameras write.
  const table = Buffer.from("ffffc400051000ab", "hex");
  const scan = Buffer.from("ffda0008010100003f00d2cf20ffd9", "hex");
  return Buffer.concat([head, table, frame, scan]);
}

export function gif(width: number, height: number): Buffer {
  const head = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const extension = Buffer.from("21f9040000000000", "hex");
  const picture = Buffer.from("2c00000000010001000002024401003b", "hex");
  return Buffer.concat([head, extension, picture]);
}

export function webp(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Buffer {
  const body = Buffer.alloc(10);
  if (kind === "VP8 ") {
    body.writeUIntBE(0x9d012a, 3, 3);
    body.writeUInt16LE(width, 6);
    body.writeUInt16LE(height, 8);
  } else if (kind === "VP8L") {
    body[0] = 0x2f;
    body.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  } else {
    body.writeUIntLE(width - 1, 4, 3);
    body.writeUIntLE(height - 1, 7, 3);
  }
  const part = (name: string, content: Buffer): Buffer => {
    const frame = Buffer.alloc(8, name, "latin1");
    frame.writeUInt32LE(content.length, 4);
    return Buffer.concat([frame, content]);
  };
  const parts = [part(kind, body), ...(kind === "VP8X" ? [part("VP8L", Buffer.alloc(6))] : [])];
  return part("RIFF", Buffer.concat([Buffer.from("WEBP"), ...parts]));
}
