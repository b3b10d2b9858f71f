// Splits words into search terms, in the same way for indexed text and for questions.

/** Characters of a word, as pairs of first and last character. */
const wordRanges = ["AZ", "az", "09", "__", "$$", "\u00c0\u024f", "\u0370\u1fff"];
const wideRanges = ["\u3040\u30ff", "\u3400\u9fff", "\uac00\ud7af"];
const tokenForm = new RegExp(`[${asClass(wordRanges)}]+|[${asClass(wideRanges)}]+`, "g");
/** Longer tokens are data: keys, hashes, encoded bytes. */
export const maxTokenChars = 64;
const maxRunChars = 200;

export function tokensIn(text: string): readonly string[] {
  return text.match(tokenForm) ?? [];
}

export const wordly = 1;
export const wide = 2;
let kinds: Uint8Array | undefined;

export function kindsOfCharacters(): Uint8Array {
  if (kinds !== undefined) return kinds;
  kinds = new Uint8Array(0x10000);
  // Filled by ranges: testing a pattern on 65,536 characters takes longer than indexing a small project.
  for (const range of wordRanges) kinds.fill(wordly, range.charCodeAt(0), range.charCodeAt(1) + 1);
  for (const range of wideRanges) kinds.fill(wide, range.charCodeAt(0), range.charCodeAt(1) + 1);
  return kinds;
}

function asClass(ranges: readonly string[]): string {
  return ranges.map((range) => `${range[0]}-${range[1]}`).join("");
}

/** Search terms of a word: its parts without their endings, and for several parts also the whole. */
export function termsOf(token: string): readonly string[] {
  if (isWide(token)) return pairs(token);
  if (token.length > maxTokenChars) return [];
  const parts = partsOf(token);
  if (parts.length === 1) return parts[0]!.length > 1 ? [stem(parts[0]!)] : [];
  const terms: string[] = [];
  let whole = "";
  for (const part of parts) {
    if (part.length > 1) terms.push(stem(part));
    whole += part;
  }
  terms.push(whole);
  return terms;
}

export function isWide(token: string): boolean {
  return token.charCodeAt(0) >= 0x3040;
}

/** A name as a number, to count which files use it; 0 = not a name. */
export function hashOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return nameHash(hash, token.charCodeAt(0), token.length);
}

export function nameHash(hash: number, firstCode: number, length: number): number {
  const isName =
    length > 2 && length <= maxTokenChars && firstCode < 0x3040 && !(firstCode >= 0x30 && firstCode <= 0x39);
  return isName ? hash >>> 0 : 0;
}

/** `parseHTTPReply2` → parse, http, reply, 2. */
export function partsOf(token: string): readonly string[] {
  const lower = token.toLowerCase();
  const parts: string[] = [];
  let start = 0;
  let last = kindAt(token, 0);
  for (let at = 1; at < token.length; at++) {
    const kind = kindAt(token, at);
    if (kind === last) continue;
    // In a run of capitals before lowercase, the last capital starts the next word.
    const border = last === capital && kind === small ? at - 1 : at;
    if (border > start) {
      if (last !== between) parts.push(lower.slice(start, border));
      start = border;
    }
    last = kind;
  }
  if (last !== between) parts.push(start === 0 ? lower : lower.slice(start));
  return parts;
}

const small = 0;
const capital = 1;
const digit = 2;
const between = 3;

function kindAt(token: string, at: number): number {
  const code = token.charCodeAt(at);
  if (code >= 0x61) return small;
  if (code >= 0x41 && code <= 0x5a) return capital;
  return code >= 0x30 && code <= 0x39 ? digit : between;
}

/** Chinese has no spaces, so every two neighbouring characters form a term. */
function pairs(run: string): readonly string[] {
  if (run.length === 1) return [run];
  const found = new Set<string>();
  for (let at = 0; at + 1 < run.length && at < maxRunChars; at++) found.add(run.slice(at, at + 2));
  return [...found];
}

const maxStems = 50_000;
let stems = new Map<string, string>();

export function forgetStems(): void {
  stems = new Map();
}

/** Removes English endings. A wrong cut does no harm: text and question are cut alike, so it still matches. */
export function stem(word: string): string {
  // Numbers have no endings and are so numerous that they would evict the words from the cache.
  if (word.length < 4 || word.charCodeAt(0) < 0x61) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= maxStems) stems = new Map();
  const fresh = /[^a-z]/.test(word) ? word : cutEndings(word);
  stems.set(word, fresh);
  return fresh;
}

function cutEndings(word: string): string {
  const single = word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh|z)es$/, "$1")
    .replace(/([^suia])s$/, "$1");
  return withoutEnding(single)
    .replace(/([b-df-hj-np-rtv-z])\1$/, "$1")
    .replace(/(?<=^.{3,})[ey]$/, "");
}

function withoutEnding(word: string): string {
  if (word.length > 7 && word.endsWith("ication")) return word.slice(0, -7);
  if (word.length > 8 && word.endsWith("ation")) return word.slice(0, -5);
  if (word.length > 6 && word.endsWith("tion")) return word.slice(0, -3);
  if (word.length > 6 && word.endsWith("ate")) return word.slice(0, -3);
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith("ied")) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith("ed")) return word.slice(0, -2);
  if (word.length > 5 && /(?:er|or)$/.test(word)) return word.slice(0, -2);
  return word;
}
