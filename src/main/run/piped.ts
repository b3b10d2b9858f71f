import { isUtf8 } from "node:buffer";

/** As text of at least 16 Mi characters in any encoding, which no input may have: nobody reads on for nothing. */
const maxBytes = 64 * 2 ** 20;

/** What is piped in: in the encodings that files have too, and never more than would be refused for its length. */
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
