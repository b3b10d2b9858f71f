// Finds characters that look like ASCII but are not: `gооgle.com` with two Cyrillic letters, `ｒｍ` in full width, `∕` for a
// slash. Words entirely in another script are legitimate.
import { likeAscii } from "./lookalike-letters.ts";

export interface LookAlike {
  readonly at: number;
  readonly char: string;
  /** The ASCII character it looks like; `null` = none, but it is mixed with Latin letters. */
  readonly like: string | null;
}

/** Signs in paths, addresses and shell syntax, without typographic quotes, dashes and ellipses. */
const signs: ReadonlyMap<string, string> = new Map(
  (
    [
      ["/", "⁁⁄∕╱⟋⧸Ⳇ"],
      ["\\", "∖⟍⧵⧹﹨"],
      [".", "․‥۰ꓸ꘎。｡"],
      [":", "ː˸։᛬⁚∶ꓽ꞉"],
      [";", "\u037e"],
      ["|", "ǀ∣⏐￨❘❙ߊ"],
      ["&", "ꝸ"],
      ["!", "ǃⵑ"],
      ["~", "˜⁓∼"],
      ["*", "⁎∗"],
      ["=", "᐀⹀゠꓿"],
      ["<", "˂ᐸ"],
      [">", "˃ᐳ"],
    ] as const
  ).flatMap(([ascii, others]) => [...others].map((one) => [one, ascii] as const)),
);
/** East Asian strokes that read as a slash only between Latin letters. */
const strokes = "ノ丿〳㇓⼃んソン";
/** Suspicious between letters or at the start of an option. Longer dashes are normal between numbers and words. */
const hyphens = "˗‐‑−⁃﹣－Ⲻ﹘";
const dashes = "‒–—―";

const words = /[\p{L}\p{M}\p{N}]+/gu;
const notAscii = /[^\0-\x7f]/;
const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;
const cyrillic = /\p{sc=Cyrillic}/u;
const latin = /\p{sc=Latin}/u;
/** Superscripts and subscripts, which nobody takes for letters of a word. */
const raised = /[\xaa\xb2\xb3\xb9\xba\u02b0-\u02b8\u02e0-\u02e4\u1d2c-\u1d6a\u2070-\u209c™℠]/u;
/** Greek small letters too common in Greek words to be suspicious there. */
const loose = "εκηωχσγ";

export function lookAlikes(line: string): readonly LookAlike[] {
  if (!notAscii.test(line)) return [];
  const found = new Map<number, LookAlike>();
  for (const one of [...inWords(line), ...inSigns(line), ...inHyphens(line)]) found.set(one.at, one);
  return [...found.values()].toSorted((one, other) => one.at - other.at);
}

function inWords(line: string): readonly LookAlike[] {
  const found: LookAlike[] = [];
  const context = new Context(line);
  for (const { 0: word, index } of line.matchAll(words)) {
    if (!notAscii.test(word)) continue;
    const chars = [...word];
    const isMixed = chars.some(isLatin);
    const isForeign = isMixed || (isWholly(chars) && !context.isOfLanguage(index, word));
    const isWide = eastAsian.test(word);
    let at = index;
    for (const char of chars) {
      const { styled, like } = kindOf(char);
      const isSuspicious = isForeign && (like !== null || (isMixed && cyrillic.test(char)));
      if (char > "\x7f" && ((styled !== null && !isWide) || isSuspicious)) found.push({ at, char, like });
      at += char.length;
    }
  }
  return found;
}

function isLatin(char: string): boolean {
  return /[A-Za-z]/.test(char > "\x7f" ? (kindOf(char).styled ?? "") : char);
}

interface Kind {
  /** The ASCII that it is another form of (full width, mathematical, circled); `null` = none. */
  readonly styled: string | null;
  readonly like: string | null;
  /** A letter that is neither ASCII nor East Asian. */
  readonly isForeign: boolean;
  /** A foreign letter that looks like ASCII even in words of its own language. */
  readonly isFirm: boolean;
  /** A foreign, non-Latin letter that does not look like ASCII. */
  readonly isOfLanguage: boolean;
}

const kinds = new Map<string, Kind>();
const mostKinds = 10_000;

function kindOf(char: string): Kind {
  const known = kinds.get(char);
  if (known) return known;
  const plain = char.normalize("NFKC");
  const isPlain = char <= "\x7f" || raised.test(char) || !/[\p{L}\p{Nd}\p{Nl}]/u.test(char);
  const styled = !isPlain && /^[A-Za-z0-9]+$/.test(plain) ? plain : null;
  const like = styled ?? likeAscii().get(char) ?? likeAscii().get(plain) ?? null;
  const isForeign = char > "\x7f" && /\p{L}/u.test(char) && !eastAsian.test(char);
  const isFirm = isForeign && like !== null && !loose.includes(char);
  const isOfLanguage = isForeign && like === null && !latin.test(char);
  const kind = { styled, like, isForeign, isFirm, isOfLanguage };
  if (kinds.size >= mostKinds) kinds.clear();
  kinds.set(char, kind);
  return kind;
}

/** Every foreign letter could be ASCII: `сору`. */
function isWholly(chars: readonly string[]): boolean {
  const letters = chars.map(kindOf).filter(({ isForeign }) => isForeign);
  return letters.length > 0 && letters.every(({ isFirm }) => isFirm);
}

type Span = readonly [from: number, to: number];

/** Where a line has foreign letters that cannot be mistaken for ASCII. Scanned once: a line may be a million letters long. */
class Context {
  private readonly line: string;
  /** Prefix sums: the number of such letters before each index. */
  private counts: Uint32Array | null = null;
  private names: Spans | null = null;
  private quotes: Spans | null = null;

  constructor(line: string) {
    this.line = line;
  }

  /**
   * A word belongs to another language if such letters are in the same name or quotes, or for words as short as a preposition, in the
   * same line. Call it with ascending indices.
   */
  isOfLanguage(at: number, word: string): boolean {
    this.counts ??= countsOf(this.line);
    this.names ??= new Spans(this.line.matchAll(/\S+/g));
    this.quotes ??= new Spans(this.line.matchAll(/"[^"]*"|'[^']*'/g));
    const near = [this.names.at(at), this.quotes.at(at), word.length <= 2 ? ([0, this.line.length] as const) : null];
    return near.some((span) => span !== null && this.has(span));
  }

  private has([from, to]: Span): boolean {
    return (this.counts?.[to] ?? 0) > (this.counts?.[from] ?? 0);
  }
}

function countsOf(line: string): Uint32Array {
  const counts = new Uint32Array(line.length + 1);
  let [at, count] = [0, 0];
  for (const { 0: word, index } of line.matchAll(words)) {
    // A word mixed with Latin letters is no evidence of another language.
    if (!notAscii.test(word) || [...word].some(isLatin)) continue;
    const own = [...word].map(kindOf).filter((kind) => kind.isOfLanguage).length;
    counts.fill(count, at, index + word.length);
    [at, count] = [index + word.length, count + own];
  }
  counts.fill(count, at);
  return counts;
}

/** Yields spans in order, so calls need ascending indices. */
class Spans {
  private readonly found: Iterator<RegExpExecArray>;
  private span: Span | null = [0, 0];

  constructor(found: Iterator<RegExpExecArray>) {
    this.found = found;
  }

  at(place: number): Span | null {
    while (this.span !== null && this.span[1] <= place) {
      const next = this.found.next();
      this.span = next.done === true ? null : [next.value.index, next.value.index + next.value[0].length];
    }
    return this.span !== null && this.span[0] <= place ? this.span : null;
  }
}

function inSigns(line: string): readonly LookAlike[] {
  const found: LookAlike[] = [];
  const isEastAsian = eastAsian.test(line);
  for (const { 0: char, index: at } of line.matchAll(/[^\0-\x7f]/gu)) {
    const wide = /[\uff01-\uff5e\ufe50-\ufe6b]/.test(char) ? char.normalize("NFKC") : null;
    const isSign = wide !== null && !/[\p{L}\p{N}-]/u.test(wide);
    const like = signs.get(char) ?? (isSign ? wide : null) ?? circled(char);
    // These are normal in East Asian text.
    const isAtHome = isEastAsian && (wide !== null || "。｡゠".includes(char));
    if (like !== null && !isAtHome) found.push({ at, char, like });
    else if (strokes.includes(char) && isBetween(line, at)) found.push({ at, char, like: "/" });
  }
  return found;
}

/** Circled numbers are used in lists, circled letters are not. */
function circled(char: string): string | null {
  if (!/[\u24b6-\u24e9\u{1f110}-\u{1f149}]/u.test(char)) return null;
  return char.normalize("NFKC");
}

/** Between ASCII word characters or dots, in a name without other East Asian characters. */
function isBetween(line: string, at: number): boolean {
  if (!/[\w.]/.test(line[at - 1] ?? "") || !/[\w.]/.test(line[at + 1] ?? "")) return false;
  const before = /\S*$/.exec(line.slice(Math.max(0, at - 200), at))?.[0] ?? "";
  const behind = /^\S*/.exec(line.slice(at + 1, at + 200))?.[0] ?? "";
  return !eastAsian.test(before + behind);
}

const insideWords = new RegExp(`(?<=[A-Za-z0-9])[${hyphens}](?=[A-Za-z0-9])`, "gu");
const beforeOptions = new RegExp(`(?<=^|[\\s"'=])[-${hyphens}${dashes}]+(?=[A-Za-z0-9])`, "gu");

function inHyphens(line: string): readonly LookAlike[] {
  return [insideWords, beforeOptions].flatMap((form) =>
    [...line.matchAll(form)].flatMap(({ 0: text, index }) =>
      [...text].flatMap((char, offset) => (char === "-" ? [] : [{ at: index + offset, char, like: "-" }])),
    ),
  );
}
