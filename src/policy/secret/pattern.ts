/** A letter, a digit, `_` or `-`: what names and tokens are made of. */
export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** For use in a pattern. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** What stands before a line: `12` and a tab, `file:12:`, the mark of a diff, and blanks. */
export const lineHead = String.raw`(?:[^\s:]{1,160}[:-])?[ ]{0,8}(?:[0-9]{1,7}[:\t-])?[-+ \t]{0,40}`;

/** Patterns are compiled when they are first needed: starting up must not pay for them. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
