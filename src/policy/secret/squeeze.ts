// Reduces a text to its letters and digits, each with its position in the original. Blanks, line ends, quotes, signs and escape marks are
// dropped: they can be inserted into a value without losing it.
import { type Stretches, wholeOf } from "./views.ts";

export interface Squeezed {
  /** The letters and digits, in ASCII. */
  readonly codes: Uint8Array;
  /** Start and end of each character in the text: an escape is longer than one character. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly length: number;
}

const plain = 1;
const mark = 2;
const noCode = 0;
const kinds = new Uint8Array(128);
for (const one of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789") kinds[one.charCodeAt(0)] = plain;
for (const one of "0%\\&") kinds[one.charCodeAt(0)] = mark;

export function squeeze(text: string, stretches: Stretches = wholeOf(text)): Squeezed {
  let room = 0;
  for (let i = 0; i < stretches.length; i += 2) room += (stretches[i + 1] as number) - (stretches[i] as number);
  const codes = new Uint8Array(room);
  const starts = new Int32Array(room);
  const ends = new Int32Array(room);
  let length = 0;
  for (let i = 0; i < stretches.length; i += 2) {
    const to = stretches[i + 1] as number;
    for (let at = stretches[i] as number; at < to; ) {
      const start = at;
      const code = text.charCodeAt(at);
      const kind = code < 128 ? kinds[code] : 0;
      if (kind === mark) at = escapeEnd(text, at, code);
      else at++;
      const squeezedCode = kind === plain ? code : kind === mark ? escapedCode : noCode;
      if (squeezedCode === noCode) continue;
      codes[length] = squeezedCode;
      starts[length] = start;
      ends[length++] = at;
    }
  }
  return { codes, from: starts, to: ends, length };
}

export const windowSize = 8;
/** Ignores case. */
const gearOf = (code: number): number =>
  Math.imul(Math.imul(code | 32, 0x9e3779b1) ^ ((code | 32) << 7), 0x85ebca6b) | 1;
/** Even, while every gear is odd. */
const isMark = 2;
const gears = new Int32Array(128);
/** How far a character shifts the hash: zero for dropped characters. */
const moves = new Uint8Array(128);
for (const [code, kind] of kinds.entries()) {
  gears[code] = kind === plain ? gearOf(code) : kind === mark ? isMark : 0;
  moves[code] = kind === plain ? 4 : 0;
}

/** Rolling hash over eight characters, ignoring case: each step shifts the older ones out by four bits. */
const step = (hash: number, code: number): number => ((hash << 4) + gearOf(code)) | 0;

export function hashAt(codes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = at; i < at + windowSize; i++) hash = step(hash, codes[i] as number);
  return hash;
}

/** A table keyed by these hashes; a bit set rejects absent hashes quickly. */
export class HashTable<T> {
  private readonly rows = new Map<number, T>();
  /** One bit per possible value of a hash's top twenty bits. */
  private likely = new Int32Array(0);

  get(hash: number): T | undefined {
    return this.rows.get(hash);
  }

  set(hash: number, row: T): void {
    if (this.likely.length === 0) this.likely = new Int32Array(1 << 15);
    this.rows.set(hash, row);
    this.likely[hash >>> 17]! |= 1 << (hash >>> 12);
  }

  /** Calls `visit` for each window whose hash is in the table. */
  each({ codes, length }: Squeezed, visit: (at: number, row: T) => void): void {
    let hash = 0;
    for (let at = 0; at < length; at++) {
      hash = step(hash, codes[at] as number);
      const isLikely = ((this.likely[hash >>> 17] as number) >>> (hash >>> 12)) & 1;
      const row = isLikely && at >= windowSize - 1 ? this.rows.get(hash) : undefined;
      if (row !== undefined) visit(at - windowSize + 1, row);
    }
  }

  /** Whether `accepts` is true for a row in the text. Squeezes only around hits, which nearly no text has. */
  isIn(text: string, stretches: Stretches, accepts: (row: T, last: Squeezed) => boolean): boolean {
    const { likely, rows } = this;
    let hash = 0;
    for (let i = 0; i < stretches.length; i += 2) {
      const to = stretches[i + 1] as number;
      for (let at = stretches[i] as number; at < to; at++) {
        const rawCode = text.charCodeAt(at);
        const code = rawCode < 128 ? rawCode : 0;
        const gear = gears[code] as number;
        if (gear === isMark) {
          at = escapeEnd(text, at, code) - 1;
          if (escapedCode === noCode) continue;
          hash = step(hash, escapedCode);
          // No branch on the kind of character: word ends are unpredictable, and without the branch the scan takes half as long.
        } else hash = ((hash << (moves[code] as number)) + gear) | 0;
        if ((((likely[hash >>> 17] as number) >>> (hash >>> 12)) & 1) === 0) continue;
        const row = rows.get(hash);
        if (row !== undefined && accepts(row, squeeze(text, lastStretches(stretches, i, at + 1)))) return true;
      }
    }
    return false;
  }
}

/** The last stretches up to `to`. */
function lastStretches(stretches: Stretches, i: number, to: number): Stretches {
  const before = stretches.slice(Math.max(0, i - 4 * windowSize), i);
  return [...before, Math.max(stretches[i] as number, to - 256), to];
}

const zero = 48;
const percent = 37;
const ampersand = 38;
const backslash = 92;

// `%2D`, also when escaped several times.
const percentForm = /%(?:25){0,8}([0-9a-f]{2})/iy;
const slashForm = /\\+(?:x([0-9a-f]{2})|u(?:\{0{0,4}|00)([0-9a-f]{2})\}?|([0-3][0-7]{2})|[nrtbfv0e])?/iy;
const entityForm = /&(?:#x0{0,4}([0-9a-f]{2});|#0{0,4}([0-9]{2,3});|[a-z]{2,8};)/iy;

/** The character the last escape stands for; `noCode` if it is neither a letter nor a digit. */
let escapedCode = noCode;

/** The end of the escape that may begin at `at`; its character is left in `escapedCode`. */
function escapeEnd(text: string, at: number, code: number): number {
  if (code === zero) return zeroEnd(text, at);
  escapedCode = noCode;
  // Fast path: nearly all escapes are of this kind, thousands in a text inside JSON.
  if (code === backslash && isShortEscape(text.charCodeAt(at + 1))) return at + 2;
  const form = code === percent ? percentForm : code === ampersand ? entityForm : slashForm;
  form.lastIndex = at;
  const match = form.exec(text);
  if (match === null) return at + 1;
  const [, hex, second, octal] = match;
  const isNumbered = code === ampersand && second !== undefined;
  const digits = hex ?? second ?? octal;
  const base = isNumbered ? 10 : octal === undefined ? 16 : 8;
  const value = digits === undefined ? noCode : Number.parseInt(digits, base);
  if (isKept(value)) escapedCode = value;
  return form.lastIndex;
}

const shortEscapes = "nrtbfve\"'`/";
const isShortEscape = (code: number): boolean => code < 128 && shortTable[code] === 1;
const shortTable = new Uint8Array(128);
for (const one of shortEscapes) shortTable[one.charCodeAt(0)] = 1;

/** `0x73` is one byte in hex: the mark would separate it from the next byte. */
function zeroEnd(text: string, at: number): number {
  const isHex = (text.charCodeAt(at + 1) | 32) === 120 && isHexDigit(text, at + 2) && isHexDigit(text, at + 3);
  const isMark = isHex && !isKept(text.charCodeAt(at - 1));
  escapedCode = isMark ? noCode : zero;
  return isMark ? at + 2 : at + 1;
}

function isHexDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102);
}

function isKept(code: number): boolean {
  return code < 128 && (code === zero || kinds[code] === plain);
}
