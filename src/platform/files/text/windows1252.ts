// Latin-1 with printable characters where it has control codes: what most files called Latin-1 are.

/** 0x80 to 0x9f; the five bytes without a character stand for their control codes, so that every byte comes back. */
const upper =
  "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f" + // 80
  "\u0090‘’“”•–—˜™š›œ\u009džŸ"; // 90

const byteOf = new Map(Array.from(upper, (char, index) => [char, 0x80 + index]));

export function decode1252(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\u0080-\u009f]/g, (char) => upper[char.charCodeAt(0) - 0x80] ?? char);
}

const misfitting = new RegExp(`[^\\u0000-\\u007f\\u00a0-\\u00ff${upper}]`, "u");

/** The bytes, or the first character that does not fit. */
export function encode1252(text: string): Buffer | { readonly misfit: string } {
  const misfit = misfitting.exec(text)?.[0];
  if (misfit !== undefined) return { misfit };
  const narrow = text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, (char) => String.fromCharCode(byteOf.get(char) ?? 0));
  return Buffer.from(narrow, "latin1");
}
