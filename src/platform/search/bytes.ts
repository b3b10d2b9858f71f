import { encodeText } from "../files/text/encoding.ts";

/** Constructs that only PCRE knows, which knows no bytes, and brackets, within which a character must stay one. */
const untouchable = /\[|\\[1-9pPk]|\(\?(?:[=!>|#P'&R0-9]|<[=!])/;

/**
 * The expression for lines in GBK or windows-1252: characters become their bytes in either. `null` where there are only
 * ASCII ones, which are the same bytes in both, or where it cannot be told what is a character.
 */
export function bytePattern(pattern: string): string | null {
  if (!/[^\u0000-\u007f]/.test(pattern) || untouchable.test(pattern)) return null;
  const bytes = pattern.replace(/[^\u0000-\u007f]/gu, (char) => {
    const forms = (["gb18030", "windows-1252"] as const).map((encoding) => encodeText(char, { encoding, bom: false }));
    return `(?:${forms
      .filter((form) => Buffer.isBuffer(form))
      .map(escaped)
      .join("|")})`;
  });
  return bytes.includes("(?:)") ? null : `(?-u:${bytes})`;
}

function escaped(bytes: Buffer): string {
  return bytes.toString("hex").replace(/../g, "\\x$&");
}
