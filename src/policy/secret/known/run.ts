import type { Written } from "../encodings.ts";
import type { Secret } from "../span.ts";
import { type Squeezed, squeeze } from "../squeeze.ts";
import { isTokenLike } from "../value.ts";

export interface SecretForm extends Written {
  readonly codes: Uint8Array;
  readonly value: string;
  /** A part of the form identifies the value. */
  readonly isPartial: boolean;
}

/** A stretch of a squeezed text that equals the form from `at` on, ignoring case. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** Shorter plain values must stand as separate words. */
const unmistakable = 16;
/** The longest text between two pieces of a value: addresses, line numbers, the characters beside a dump. */
const maxGap = 480;
/** At least this many characters must continue after a gap. */
const minPiece = 4;

/** Ignores case: digits have that bit anyway. */
const isSame = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && (one | 32) === (other | 32);

/** Extends a match in both directions. */
export function runOf({ codes: form }: SecretForm, anchored: number, { codes, length }: Squeezed, at: number): Run {
  let back = 0;
  while (back < at && back < anchored && isSame(form[anchored - back - 1], codes[at - back - 1])) back++;
  let ahead = 0;
  while (at + ahead < length && isSame(form[anchored + ahead], codes[at + ahead])) ahead++;
  return { from: at - back, to: at + ahead, at: anchored - back };
}

/** Whether the run is the value, and not another text with the same letters. */
export function isValueRun(
  form: SecretForm,
  run: Run,
  squeezed: Squeezed,
  text: string,
  isWholeText: boolean,
): boolean {
  const size = run.to - run.from;
  const isWhole = size === form.codes.length;
  if (!isWhole && !(form.isPartial && size >= form.least)) return false;
  if (!form.isPlain) return size >= unmistakable || hasSameCase(form, run, squeezed);
  if (form.isPartial && size >= form.least) return isWhole || isTokenLike(textOf(form, run));
  if (!hasSameCase(form, run, squeezed)) return false;
  const start = squeezed.from[run.from] as number;
  const end = squeezed.to[run.to - 1] as number;
  if (isWholeText && wordOf(text.slice(start, end)) !== wordOf(form.source)) return false;
  return form.source.length >= unmistakable || (isWordStart(text, start) && !isAlnum(text, end));
}

function hasSameCase(form: SecretForm, run: Run, { codes }: Squeezed): boolean {
  for (let i = run.from; i < run.to; i++) if (codes[i] !== form.codes[run.at + i - run.from]) return false;
  return true;
}

const textOf = ({ codes }: SecretForm, { from, to, at }: Run): string =>
  String.fromCharCode(...codes.subarray(at, at + to - from));

/** No word continues here; the letter of an escape before it does not count. */
const isWordStart = (text: string, at: number): boolean =>
  !isAlnum(text, at - 1) || /(?:^|[^\\])(?:\\\\)*\\[nrtbf]$/.test(text.slice(Math.max(0, at - 8), at));

const isAlnum = (text: string, at: number): boolean => /[A-Za-z0-9]/.test(text[at] ?? "");

const escapes = /%(?:25){0,8}([0-9a-f]{2})|\\+(?:x([0-9a-f]{2})|u00([0-9a-f]{2})|[nrt])?/gi;

/** Drops everything that may split a value. Other signs make a different word: `blue monday` is not `blue-monday`. */
function wordOf(text: string): string {
  const plain = text.replace(escapes, (_, ...[one, two, three]: (string | undefined)[]) => {
    const digits = one ?? two ?? three;
    return digits === undefined ? "" : String.fromCharCode(Number.parseInt(digits, 16));
  });
  return plain.replace(/[^!-~]|["'`+,\\]/g, "").replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
}

/** The pieces of a run, and further pieces before and after it, across gaps. */
export function piecesAround(form: SecretForm, run: Run, squeezed: Squeezed, text: string): readonly Secret[] {
  const pieces = piecesOf(form, run, squeezed, text);
  if (!form.isPartial) return pieces;
  const before = collectPieces(pieces[0]?.from ?? 0, run.at, (at, place) => pieceBefore(form, at, text, place));
  const end = pieces.at(-1)?.to ?? text.length;
  const behind = collectPieces(end, run.at + run.to - run.from, (at, place) => pieceBehind(form, at, text, place));
  const all = [...before.flat(), ...pieces, ...behind.flat()].sort((one, other) => one.from - other.from);
  return all.map((piece, i) => (i === 0 ? piece : { ...piece, isRest: true }));
}

interface SecretPiece {
  readonly pieces: readonly Secret[];
  /** Where to continue, in the form and in the text. */
  readonly at: number;
  readonly place: number;
}

function collectPieces(
  place: number,
  at: number,
  next: (at: number, place: number) => SecretPiece | null,
): readonly Secret[][] {
  const all: Secret[][] = [];
  for (let piece = next(at, place); piece !== null; piece = next(piece.at, piece.place)) all.push([...piece.pieces]);
  return all;
}

function pieceBehind(form: SecretForm, at: number, text: string, place: number): SecretPiece | null {
  const least = Math.min(minPiece, form.codes.length - at);
  if (least < 2) return null;
  const squeezed = squeeze(text, [place, Math.min(text.length, place + maxGap)]);
  for (let start = 0; start + least <= squeezed.length; start++) {
    let size = 0;
    while (start + size < squeezed.length && isSame(form.codes[at + size], squeezed.codes[start + size])) size++;
    if (size < least) continue;
    const pieces = piecesOf(form, { from: start, to: start + size, at }, squeezed, text);
    return { pieces, at: at + size, place: pieces.at(-1)?.to ?? text.length };
  }
  return null;
}

function pieceBefore(form: SecretForm, at: number, text: string, place: number): SecretPiece | null {
  const least = Math.min(minPiece, at);
  if (least < 2) return null;
  const squeezed = squeeze(text, [Math.max(0, place - maxGap), place]);
  for (let end = squeezed.length; end >= least; end--) {
    let size = 0;
    while (size < at && size < end && isSame(form.codes[at - size - 1], squeezed.codes[end - size - 1])) size++;
    if (size < least) continue;
    const pieces = piecesOf(form, { from: end - size, to: end, at: at - size }, squeezed, text);
    return { pieces, at: at - size, place: pieces[0]?.from ?? 0 };
  }
  return null;
}

/** Characters that would end a string or a bracket must stay, and so must text that is not part of the value. */
const boundary = /["'`()[\]{}<>A-Za-z0-9]/;
const escaped = /\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|.)|%[0-9a-f]{2}|&#?\w{2,8};/gi;
const hasBoundary = (between: string): boolean => boundary.test(between) && boundary.test(between.replace(escaped, ""));

/** The parts of the text that are the value: a placeholder replaces the first, the others are removed. */
function piecesOf({ value, source }: SecretForm, run: Run, squeezed: Squeezed, text: string): readonly Secret[] {
  // Unsplit: includes the signs around and inside the value.
  const start = (squeezed.from[run.from] as number) - Math.max(0, source.search(/[A-Za-z0-9]/));
  if (run.at === 0 && start >= 0 && text.startsWith(source, start))
    return [{ kind: "known-secret", from: start, to: start + source.length, value }];
  const pieces: Secret[] = [];
  for (let i = run.from; i < run.to; ) {
    const from = squeezed.from[i] as number;
    let to = squeezed.to[i++] as number;
    while (i < run.to && !hasBoundary(text.slice(to, squeezed.from[i]))) to = squeezed.to[i++] as number;
    pieces.push({ kind: "known-secret", from, to, value, ...(pieces.length > 0 ? { isRest: true } : {}) });
  }
  return pieces;
}
