// The columns of a text in which a value may continue from line to line, with other text between its pieces.

/** Stretches of a text in order: alternating start and end offsets. */
export type Stretches = readonly number[];

export const wholeOf = (text: string): Stretches => [0, text.length];

/** Longer pieces are found on their own. */
const longestPiece = 72;

/** The last word of each line: `12:word`, `file:12:word`, `[3] word`, `"word" +`. */
export function lastWords(text: string): Stretches {
  const found: number[] = [];
  eachLine(text, (start, end) => {
    let to = end;
    while (to > start && isClosing(text.charCodeAt(to - 1))) to--;
    let from = to;
    const least = Math.max(start, to - longestPiece);
    while (from > least && !isOpening(text, from - 1)) from--;
    if (from < to) found.push(from, to);
  });
  return found;
}

const codesOf = (signs: string): Uint8Array => {
  const table = new Uint8Array(128);
  for (const one of signs) table[one.charCodeAt(0)] = 1;
  return table;
};
/** Characters that may follow a piece at the end of a line: quotes, and the syntax of code that joins strings. */
const closing = codesOf(" \t\r\"'`+,;\\)]}.");
const opening = codesOf(" \t|]>)\"'`,([");
const isClosing = (code: number): boolean => code < 128 && closing[code] === 1;

/** A colon counts only after a line number: elsewhere it may be part of the word. */
function isOpening(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== colon) return code >= 128 || opening[code] === 1;
  const before = text.charCodeAt(at - 1);
  return before >= 48 && before <= 57;
}

const colon = 58;

/** A line ends at a newline, or at the two characters that stand for it inside JSON and source code. */
function eachLine(text: string, take: (from: number, to: number) => void): void {
  const next = (what: string, at: number): number => {
    const found = text.indexOf(what, at);
    return found < 0 ? text.length : found;
  };
  let [end, written] = [next("\n", 0), next("\\n", 0)];
  let from = 0;
  while (from <= text.length) {
    const to = Math.min(end, written);
    take(from, to);
    from = to + (to === end ? 1 : 2);
    if (to === end) end = next("\n", from);
    else written = next("\\n", from);
  }
}

// `00000000: 7365 6372  secr`, `00000000  73 65  |se|`, `0000000 071545 071562`, `0000000   s   e   c`
const address = /^(?:[^\s:]{1,160}[:-])?[ \t]{0,8}(?:[0-9]{1,7}[\t:-])?[ \t]{0,8}[0-9a-f]{6,16}(?::|(?=[ \t]))/i;
const isDump = /[\n\t:n][0-9a-fA-F]{6,16}:?[ \t]/;
const bytesBeside = /^[ \t]*(?:[0-9a-f]{2,8} )+(?= )/i;
/** A dump with longer lines is found like a text without lines. */
const longestLine = 1_024;

/** The bytes of a dump without their addresses, and the characters beside them. */
export function dumpColumns(text: string): readonly Stretches[] {
  if (!isDump.test(text)) return [];
  const bytes: number[] = [];
  const beside: number[] = [];
  eachLine(text, (start, end) => {
    const line = text.slice(start, Math.min(end, start + longestLine)).trimEnd();
    const head = address.exec(line)?.[0].length;
    if (head === undefined) return;
    const rest = line.slice(head);
    const from = start + head;
    const width = widthOf(rest);
    bytes.push(from, from + width);
    if (width < rest.length) beside.push(from + width, from + rest.length);
  });
  return [bytes, beside].filter(({ length }) => length > 2);
}

/** The width of the byte column; the whole line if no characters stand beside the bytes. */
function widthOf(rest: string): number {
  const bar = /\|.{0,256}\|$/.exec(rest);
  return bar?.index ?? bytesBeside.exec(rest)?.[0].length ?? rest.length;
}
