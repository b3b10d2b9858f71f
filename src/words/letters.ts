// Character and word tests without regular expressions: compiling one costs more than the whole assessment of a task may.

export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** The class `\w`. */
export function isWordPart(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a;
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}

export function isHan(code: number): boolean {
  return code >= 0x3400 && code <= 0x9fff;
}

export function hasHan(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isHan(text.charCodeAt(at))) return true;
  return false;
}

/** The class `\s`. */
export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code >= 0x2000 && code <= 0x200a) return true;
  return "\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff".includes(String.fromCharCode(code));
}

/** The end of the blanks that begin here. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The word that begins here, in lower case; empty if there is none. */
export function wordAt(text: string, from: number): string {
  let end = from;
  while (isWordPart(text.charCodeAt(end))) end++;
  return text.slice(from, end).toLowerCase();
}

/** The word that ends here, in lower case; empty if there is none. */
export function wordBefore(text: string, end: number): string {
  let from = end;
  while (isWordPart(text.charCodeAt(from - 1))) from--;
  return text.slice(from, end).toLowerCase();
}

/** Whether a word is in a list in which a blank precedes and follows each word. */
export function isOneOf(row: string, word: string): boolean {
  return row.includes(` ${word} `);
}

export function isAnyOf(some: string, text: string, at: number): boolean {
  return at >= 0 && at < text.length && some.includes(text.charAt(at));
}
