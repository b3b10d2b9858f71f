import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip } from "node:zlib";

export interface Body {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

type Coding = "plain" | "gzip" | "br";

/** `null` = an encoding that was not requested. */
export function codingOf({ headers }: IncomingMessage): Coding | null {
  const coding = (headers["content-encoding"] ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity") return "plain";
  if (coding === "gzip" || coding === "x-gzip") return "gzip";
  return coding === "br" ? "br" : null;
}

/** Limits the compressed and the decompressed size: a small response must not fill the memory. */
export async function readBody(response: IncomingMessage, coding: Coding, most: number): Promise<Body> {
  const packed = await head(response, most);
  if (coding === "plain") return packed;
  // A truncated body ends in the middle of its compressed stream.
  const unpack =
    coding === "gzip"
      ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
      : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
  const unpacked = await head(Readable.from([packed.bytes]).pipe(unpack), most);
  return { bytes: unpacked.bytes, isCut: packed.isCut || unpacked.isCut };
}

/** Leaving the loop closes the stream and the connection. */
async function head(stream: Readable, most: number): Promise<Body> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > most) break;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, most), isCut: length > most };
}
