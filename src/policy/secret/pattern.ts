/** Letters, digits, `_` and `-`: the characters of names and tokens. */
export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** Escapes `text` for use in a regular expression. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Prefixes that tools put before a line: `12` and a tab, `file:12:`, a diff mark, blanks. */
export const lineHead = String.raw`(?:[^\s:]{1,160}[:-])?[ ]{0,8}(?:[0-9]{1,7}[:\t-])?[-+ \t]{0,40}`;

/** Compiles a pattern on first use, so that it costs nothing at startup. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
