// Tables of English and Chinese words and phrases, searched without regular expressions, which take a millisecond to compile.
import { isHan, isLetter, isWordPart } from "./letters.ts";

interface Found {
  readonly index: number;
  readonly word: string;
  /** The index of the table that contains the word. */
  readonly table: number;
}

const comma = ", ";

export const entriesOf = (...rows: readonly string[]): readonly string[] => rows.flatMap((row) => row.split(comma));

/** Most tasks need few of the tables, so each is built on first use. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/**
 * Finds whole English words in any case, with a trailing `*` for further letters, and Chinese words anywhere. A phrase hides the words
 * inside it, except those of other tables; in its table it must precede a word that it begins with.
 */
export function finderOf(...tables: readonly (readonly string[])[]): (text: string) => readonly Found[] {
  let lists: readonly string[] = [];
  let all = "";
  return (text) => {
    if (all === "") {
      lists = tables.map((rows) => comma + rows.join(comma) + comma);
      all = lists.join("");
    }
    // The only letter whose lower case is longer: it would shift all later positions.
    const lower = text.replaceAll("İ", "I").toLowerCase();
    const found: Found[] = [];
    const free = lists.map(() => 0);
    for (let at = nextStart(lower, 0); at < lower.length; at = nextStart(lower, at + 1)) {
      const start = comma + lower.slice(at, lower.charCodeAt(at) < 0x80 ? at + 2 : at + 1);
      if (!all.includes(start)) continue;
      for (const [table, list] of lists.entries()) {
        const end = at < (free[table] ?? 0) ? -1 : endOfAny(lower, at, list, start);
        if (end < 0) continue;
        found.push({ index: at, word: text.slice(at, end), table });
        free[table] = end;
      }
    }
    return found;
  };
}

/**
 * The start of the next Chinese character or English word; after a letter, digit, dot or hyphen it is part of a word or name. Inlined: a
 * call per character would dominate the cost.
 */
function nextStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x3400 && code <= 0x9fff) return at;
    if (code < 0x61 || code > 0x7a) continue;
    const before = text.charCodeAt(at - 1);
    if ((before >= 0x61 && before <= 0x7a) || before === 0x2e || before === 0x2d || isWordPart(before)) continue;
    return at;
  }
  return text.length;
}

/** The end of the first entry in the list that begins with `start` and matches here; -1 = none. */
function endOfAny(text: string, at: number, list: string, start: string): number {
  for (let next = list.indexOf(start); next >= 0; next = list.indexOf(start, next + 1)) {
    const end = endOf(text, at, list, next + comma.length);
    if (end >= 0) return end;
  }
  return -1;
}

/** The end, in the text, of the entry that begins at `from` in the list; -1 = no match. */
function endOf(text: string, start: number, list: string, from: number): number {
  let at = start;
  for (let next = from; list[next] !== ","; next++) {
    const sign = list[next];
    if (sign === "*") while (isLetter(text.charCodeAt(at))) at++;
    else if (sign === " ") {
      const blank = at;
      while (" \t\n".includes(text[at] ?? "x")) at++;
      if (at === blank) return -1;
    } else if (text[at] !== sign) return -1;
    else at++;
  }
  return isHan(text.charCodeAt(at - 1)) || !isWordPart(text.charCodeAt(at)) ? at : -1;
}
