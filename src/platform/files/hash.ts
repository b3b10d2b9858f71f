/** SHA-256 in hex, which identifies file content everywhere in the product. */
export function sha256(bytes: Uint8Array): string {
  return Bun.CryptoHasher.hash("sha256", bytes, "hex");
}
