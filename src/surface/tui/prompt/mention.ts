// `@path` while it is typed, and the syntax it needs (docs/mentions.md).

/** Scripts without blanks between words: an `@` may follow any character. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}ー]$/u;
/** Characters before an `@` that is part of an address, a package name or a path. */
const inWord = /[\p{L}\p{M}\p{N}_.+\-@/\\%~$&]$/u;
/** From the `@` to the cursor: an open quotation, or text without blanks. */
const open = /^@(?:"([^"]*)|'([^']*)|“([^”]*)|‘([^’]*)|((?:\\.|[^\s\\"'“‘])(?:\\.|[^\s\\])*)?)$/u;
const mostChars = 1_024;

export interface OpenMention {
  readonly from: number;
  readonly typed: string;
  readonly quote: string;
}

export function openMention(before: string): OpenMention | null {
  const least = Math.max(0, before.length - mostChars);
  for (let from = before.lastIndexOf("@"); from >= least; from = from > 0 ? before.lastIndexOf("@", from - 1) : -1) {
    const left = before.slice(0, from);
    if (inWord.test(left) && !unspaced.test(left)) continue;
    const found = open.exec(before.slice(from));
    if (found === null) continue;
    const [, double, single, curly, low, bare = ""] = found;
    const quoted = double ?? single ?? curly ?? low;
    if (quoted !== undefined) return { from, typed: quoted, quote: closing[before[from + 1] ?? ""] ?? "" };
    return { from, typed: bare.replace(/\\(.)/gu, "$1"), quote: "" };
  }
  return null;
}

const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’" };

export function written(path: string): string {
  if (!/[\s\\]|^[@"'“‘]/u.test(path)) return `@${path}`;
  const quote = ['"', "'"].find((one) => !path.includes(one));
  return quote === undefined ? `@${path.replace(/[\s\\@"'“‘]/gu, "\\$&")}` : `@${quote}${path}${quote}`;
}
