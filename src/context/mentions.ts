// Finds `@path` in user input. Pure: the caller says what exists, and only existing paths count.

type Kind = "file" | "folder" | "other" | "none";

/** Lines from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface Mention {
  /** As written, without quotes, escapes and line range. */
  readonly path: string;
  readonly kind: Exclude<Kind, "none">;
  /** `null`: the whole file. */
  readonly lines: LineRange | null;
  readonly start: number;
  readonly end: number;
}

type FoundMention = Omit<Mention, "start">;
type KindOf = (path: string) => Kind;

const maxChars = 1024;
/** Maximum ends to try per name: Chinese has no spaces, so any character may begin the next word. */
const maxEnds = 64;
/** Maximum lookups per text: a page full of `@` must not keep the disk busy. */
const maxLooks = 2000;

export function mentionsIn(text: string, kindOf: KindOf): readonly Mention[] {
  const found: Mention[] = [];
  const code = fencedParts(text);
  let looks = 0;
  const look: KindOf = (path) => (++looks > maxLooks ? "none" : kindOf(path));
  for (let at = text.indexOf("@"); at !== -1 && looks < maxLooks; at = text.indexOf("@", at)) {
    const start = at++;
    if (!canStart(text, start) || code.some(([from, to]) => from <= start && start < to)) continue;
    const one = quoted(text, at, look) ?? bare(text, at, look);
    if (one === null) continue;
    found.push({ ...one, start });
    at = one.end;
  }
  return found;
}

/** Scripts without spaces between words: an `@` may follow any character. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}ー]/u;
/** Characters before the `@` of an address, package or path: `me@host`, `a/@b`, `\@`, `@@`. */
const inWord = /[\p{L}\p{M}\p{N}_.+\-@/\\%~$&]/u;

function canStart(text: string, at: number): boolean {
  if (text[at + 1] === "@") return false;
  const before = lastCharacter(text, at);
  return before === "" || unspaced.test(before) || !inWord.test(before);
}

/** A code point may be two UTF-16 units. */
function lastCharacter(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end);
  return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1);
}

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’" };

function quoted(text: string, from: number, kindOf: KindOf): FoundMention | null {
  const close = quotes[text.charAt(from)];
  if (close === undefined) return null;
  const end = text.indexOf(close, from + 1);
  const inside = text.slice(from + 1, end);
  if (end === -1 || inside.length > maxChars || inside.includes("\n")) return null;
  const suffix = linesAt(text.slice(end + 1, end + 1 + 32));
  const whole = suffix && kindOf(inside) === "file" ? named(inside, suffix.lines, kindOf) : named(inside, null, kindOf);
  if (whole) return { ...whole, end: end + 1 + (whole.lines ? (suffix?.length ?? 0) : 0) };
  const split = withLines(inside);
  const part = split && named(split.path, split.lines, kindOf);
  return part && { ...part, end: end + 1 };
}

/** The longest existing prefix of the word; trailing punctuation belongs to the sentence. */
function bare(text: string, from: number, kindOf: KindOf): FoundMention | null {
  const word = wordAt(text, from);
  for (const end of endsIn(word)) {
    const part = word.slice(0, end);
    const split = withLines(part);
    const one = plainName(part, kindOf) ?? (split && named(unescaped(split.path), split.lines, kindOf));
    if (one) return { ...one, end: from + end };
  }
  return null;
}

function endsIn(word: string): readonly number[] {
  const ends: number[] = [];
  for (let at = 1; at < word.length && ends.length < maxEnds; at++) if (canEnd(word, at)) ends.push(at);
  return [word.length, ...ends.reverse()];
}

function wordAt(text: string, from: number): string {
  const piece = text.slice(from, from + maxChars);
  return /^(?:\\[^\n]|[^\s\p{Cc}\\])*/u.exec(piece)?.[0] ?? "";
}

const sentenceSign = /[,;:!?()[\]{}<>'"`*|#]|(?=\P{ASCII})[\p{P}\p{S}]/u;

/** Whether a name may end at this index. A dot ends a name only if no letter follows: `a.ts.` but not `a.ts`. */
function canEnd(word: string, at: number): boolean {
  const character = String.fromCodePoint(word.codePointAt(at) ?? 0);
  if (word[at - 1] === "\\") return false;
  if (character === ".") return at + 1 === word.length || word[at + 1] === "." || canEnd(word, at + 1);
  return sentenceSign.test(character) || unspaced.test(character);
}

/** `@test` is more often an annotation than a directory, so a bare directory name needs its slash. */
function plainName(part: string, kindOf: KindOf): Omit<FoundMention, "end"> | null {
  // `src/.` ends a sentence.
  if (part.endsWith("/.") || (!/[^./]/.test(part) && part !== "./" && part !== "../")) return null;
  const one = named(unescaped(part), null, kindOf);
  return one?.kind === "folder" && !part.includes("/", 1) ? null : one;
}

/** Only files have lines. */
function named(path: string, lines: LineRange | null, kindOf: KindOf): Omit<FoundMention, "end"> | null {
  const kind = path.trim() === "" || path.includes("\0") ? "none" : kindOf(path);
  if (kind === "none" || (lines !== null && kind !== "file")) return null;
  return { path, kind, lines };
}

function unescaped(part: string): string {
  return part.replace(/\\(.)/gu, "$1");
}

/** `:10`, `:10-20`, `:10:5` (line and column), `#L10`, `#L10-L20`. */
const lineForm = /(?::(\d+)(?:[-–](\d+)|:\d+)?|#L(\d+)(?:[-–]L?(\d+))?)/;
const linesAtStart = new RegExp(`^${lineForm.source}`);
const linesAtEnd = new RegExp(`${lineForm.source}$`);

function linesAt(text: string): { readonly lines: LineRange; readonly length: number } | null {
  const match = linesAtStart.exec(text);
  return match && { lines: rangeOf(match), length: match[0].length };
}

function withLines(part: string): { readonly path: string; readonly lines: LineRange } | null {
  const match = linesAtEnd.exec(part);
  return match && { path: part.slice(0, match.index), lines: rangeOf(match) };
}

/** In either order; there is no line 0. */
function rangeOf([, one, other, hash, hashOther]: RegExpExecArray): LineRange {
  const from = lineNumber(one ?? hash ?? "1");
  const to = lineNumber(other ?? hashOther ?? String(from));
  return { first: Math.min(from, to), last: Math.max(from, to) };
}

function lineNumber(digits: string): number {
  return Math.min(Math.max(1, Number(digits)), Number.MAX_SAFE_INTEGER);
}

/** Fenced code contains no mentions. An open fence extends to the end. */
function fencedParts(text: string): readonly (readonly [from: number, to: number])[] {
  if (!text.includes("```") && !text.includes("~~~")) return [];
  const parts: [number, number][] = [];
  let open: { readonly from: number; readonly mark: string } | null = null;
  for (const { 0: line, 1: mark = "", index } of text.matchAll(/^[ \t]{0,3}(`{3,}|~{3,})[^\n]*/gm)) {
    if (open === null) open = { from: index, mark };
    else if (mark.startsWith(open.mark) && line.trim() === mark) {
      parts.push([open.from, index + line.length]);
      open = null;
    }
  }
  return open === null ? parts : [...parts, [open.from, text.length]];
}
