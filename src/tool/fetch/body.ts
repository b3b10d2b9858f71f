import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip } from "node:zlib";

export interface Body {
  readonly bytes: Buffer;
  /** There was more than may be. */
  readonly isCut: boolean;
}

type Coding = "plain" | "gzip" | "br";

/** How the body is packed; `null` = in a way that was not asked for. */
export function codingOf({ headers }: IncomingMessage): Coding | null {
  const coding = (headers["content-encoding"] ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity") return "plain";
  if (coding === "gzip" || coding === "x-gzip") return "gzip";
  return coding === "br" ? "br" : null;
}

/** At most `most` bytes, as they come and once more unpacked: little that is sent cannot be made to fill the memory. */
export async function readBody(response: IncomingMessage, coding: Coding, most: number): Promise<Body> {
  const packed = await head(response, most);
  if (coding === "plain") return packed;
  // What was cut off ends in the middle of what was packed.
  const unpack =
    coding === "gzip"
      ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
      : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
  const unpacked = await head(Readable.from([packed.bytes]).pipe(unpack), most);
  return { bytes: unpacked.bytes, isCut: packed.isCut || unpacked.isCut };
}

/** Leaving the loop closes the stream, and with it the connection. */
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
