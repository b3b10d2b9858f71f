import { isUtf8 } from "node:buffer";

/** At least 16 Mi characters in any encoding, more than an input may have. */
const maxBytes = 64 * 2 ** 20;

/** Decodes piped input like files, and reads no more than a valid input can have. */
export async function pipedText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  if (isUtf8(bytes) && !bytes.includes(0)) return asUtf8(bytes);
  const { decodeText } = await import("../../platform/files/text/encoding.ts");
  return decodeText(bytes)?.text ?? asUtf8(bytes);
}

function asUtf8(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}
