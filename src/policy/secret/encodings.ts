// The ways in which programs write the bytes of a value, each reduced to the letters and digits that `squeeze` keeps.
import { squeeze } from "./squeeze.ts";

export interface Written {
  /** With all its signs. */
  readonly source: string;
  readonly text: string;
  /** This many letters and digits in a row identify the value. */
  readonly least: number;
  /** The value itself, forwards or backwards, not encoded. */
  readonly isPlain: boolean;
  /** A double encoding, or a dump. */
  readonly isRare: boolean;
}

/** Longer values are not searched for in double encodings and dumps: the single encoding is enough. */
const longest = 200;

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Plain, reversed, base64 and hex. */
export function writtenForms(value: string): readonly Written[] {
  return [
    ...[value, reversed(value)].map((text) => writtenForm(text, 12, { isPlain: true })),
    ...codesOf(value).map((text) => writtenForm(text, minLengthOf(text))),
  ];
}

/** Double encodings, and the output of byte dumps: ten times as many. */
export function rareForms(value: string): readonly Written[] {
  if (value.length > longest) return [];
  const codes = codesOf(value);
  const inUrl = encodeURIComponent(value.toWellFormed());
  // Inside another encoding, the signs of each base64 alphabet and the case of hex matter.
  const inner = [
    reversed(value),
    inUrl,
    ...codes.flatMap((text) => (isHex(text) ? [text, text.toUpperCase()] : [text, forUrl(text)])),
  ];
  const twice = [...new Set(inner)].flatMap((text) => (text === value ? [] : [reversed(text), ...codesOf(text)]));
  return [
    // The characters of `%2B` may be split up too.
    ...(inUrl === value ? [] : [writtenForm(inUrl.replaceAll("%", ""), 12)]),
    ...[...new Set(twice)].filter((text) => text !== value).map((text) => writtenForm(text, 16, { isRare: true })),
    ...dumpsOf(bytesOf(value)).map((text) => writtenForm(text, 24, { isRare: true })),
  ];
}

const forUrl = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_");
const isHex = (text: string): boolean => /^[0-9a-f]+$/.test(text);
const minLengthOf = (text: string): number => (isHex(text) ? 16 : 12);

function writtenForm(source: string, least: number, { isPlain = false, isRare = false } = {}): Written {
  // Only plain text can contain escapes.
  const text = isPlain ? squeezedText(source) : source.replace(/[^A-Za-z0-9]+/g, "");
  return { source, text, least: Math.min(least, text.length), isPlain, isRare };
}

function squeezedText(source: string): string {
  const { codes, length } = squeeze(source);
  return textOf(codes.subarray(0, length));
}

/** In chunks: the number of call arguments is limited. */
function textOf(codes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < codes.length; at += 4_096) pieces.push(String.fromCharCode(...codes.subarray(at, at + 4_096)));
  return pieces.join("");
}

const reversed = (text: string): string => [...text].reverse().join("");

function codesOf(text: string): readonly string[] {
  const bytes = bytesOf(text);
  const codes = [...base64Of(bytes), bytes.toHex()];
  if (!/^[\u0000-\u00ff]*[\u0080-\u00ff]/.test(text)) return codes;
  const latin = Uint8Array.from(text, (one) => one.charCodeAt(0));
  return [...codes, ...base64Of(latin), latin.toHex()];
}

/** The value may begin at any of three byte offsets. Letters that also encode neighbouring bytes are dropped. */
function base64Of(bytes: Uint8Array): readonly string[] {
  const room = new Uint8Array(bytes.length + 2);
  room.set(bytes, 2);
  return [0, 1, 2].map((before) => {
    const whole = room.subarray(2 - before);
    return whole.toBase64().slice(before === 0 ? 0 : before + 1, Math.floor((whole.length * 8) / 6));
  });
}

/** `od`, `hexdump`, `xxd -e`, and lists of numbers: single bytes, and words in machine byte order. */
function dumpsOf(bytes: Uint8Array): readonly string[] {
  return [
    ...wordsOf(bytes, 1, 8, 3),
    ...wordsOf(bytes, 1, 10, 0),
    ...wordsOf(bytes, 1, 10, 3),
    ...wordsOf(bytes, 2, 16, 4),
    ...wordsOf(bytes, 2, 8, 6),
    ...wordsOf(bytes, 2, 10, 5),
    ...wordsOf(bytes, 4, 16, 8),
  ];
}

/** The whole words of `bytes` in this base, padded, from each possible offset. */
function wordsOf(bytes: Uint8Array, size: number, base: number, width: number): readonly string[] {
  const all: string[] = [];
  for (let first = 0; first < size; first++) {
    let text = "";
    for (let at = first; at + size <= bytes.length; at += size) {
      let word = 0;
      for (let i = size - 1; i >= 0; i--) word = word * 256 + (bytes[at + i] as number);
      text += word.toString(base).padStart(width, "0");
    }
    all.push(text);
  }
  return all;
}
