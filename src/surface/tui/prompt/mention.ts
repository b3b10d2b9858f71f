// `@path` as it is being typed, and as it has to be written so that it is understood (docs/mentions.md).

/** Written without blanks between words, so that an `@` may follow any of them. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}ー]$/u;
/** What stands before the `@` of an address, a package or a path. */
const inWord = /[\p{L}\p{M}\p{N}_.+\-@/\\%~$&]$/u;
/** From the `@` to the cursor: in quotes that are not closed yet, or up to the first blank. */
const open = /^@(?:"([^"]*)|'([^']*)|“([^”]*)|‘([^’]*)|((?:\\.|[^\s\\"'“‘])(?:\\.|[^\s\\])*)?)$/u;
/** Of one mention. */
const mostChars = 1_024;

export interface OpenMention {
  /** Where its `@` stands. */
  readonly from: number;
  /** What was typed of the path. */
  readonly typed: string;
  /** What closes it. */
  readonly quote: string;
}

/** The mention that ends at the cursor; `null` = none does. */
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

/** A path as a mention. */
export function written(path: string): string {
  if (!/[\s\\]|^[@"'“‘]/u.test(path)) return `@${path}`;
  const quote = ['"', "'"].find((one) => !path.includes(one));
  return quote === undefined ? `@${path.replace(/[\s\\@"'“‘]/gu, "\\$&")}` : `@${quote}${path}${quote}`;
}
