/** sha-256, hex: the name of a file's content everywhere in the product. */
export function sha256(bytes: Uint8Array): string {
  return Bun.CryptoHasher.hash("sha256", bytes, "hex");
}
