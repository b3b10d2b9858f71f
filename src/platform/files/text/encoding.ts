import { isUtf8 } from "node:buffer";
import { encodeGb } from "./gb18030.ts";
import { decodeStray, encodeStray, isMostlyUtf8 } from "./invalid-utf8.ts";
import { decodeUtf16, encodeUtf16, markedUtf16, unmarkedUtf16 } from "./utf16.ts";

export type Encoding =
  | "utf-8"
  | "utf-8 with stray bytes"
  | "utf-16le"
  | "utf-16be"
  | "gbk"
  | "gb18030"
  | "latin-1"
  | "windows-1252";

export interface TextForm {
  readonly encoding: Encoding;
  readonly bom: boolean;
}

export interface DecodedText extends TextForm {
  readonly text: string;
}

export const newFileForm: TextForm = { encoding: "utf-8", bom: false };

/** Git checks the same range for a NUL. */
const binaryStretch = 8000;
export const bomUtf8 = Buffer.from([0xef, 0xbb, 0xbf]);

/** Decodes text so that encoding it returns the same bytes; `null`: binary. docs/reference/files.md explains the detection order. */
export function decodeText(bytes: Buffer): DecodedText | null {
  const form = detectForm(bytes);
  if (form === null) return null;
  const text = decodeAs(bytes, form);
  if (form.encoding !== "gb18030" && form.encoding !== "gbk") return { ...form, text };
  const back = encodeText(text, form);
  const isSame = Buffer.isBuffer(back) && back.equals(bytes);
  if (isSame) return { ...form, text };
  const western = { encoding: westernForm(bytes), bom: false };
  return { ...western, text: decodeAs(bytes, western) };
}

/** `isPart`: only the head of a file, which may end within a character. */
export function detectForm(bytes: Buffer, isPart = false): TextForm | null {
  const body = whole(bytes, isPart);
  const bom = bytes.subarray(0, 3).equals(bomUtf8);
  if (bom && isUtf8(body)) return { encoding: "utf-8", bom };
  const marked = markedUtf16(bytes, binaryStretch);
  if (marked !== undefined) return marked === null ? null : { encoding: marked, bom: true };
  if (bytes.subarray(0, binaryStretch).includes(0)) {
    const encoding = unmarkedUtf16(bytes, binaryStretch, isPart);
    return encoding === null ? null : { encoding, bom: false };
  }
  if (isUtf8(body)) return { encoding: "utf-8", bom };
  if (hasControls(bytes)) return null;
  if (isMostlyUtf8(body)) return { encoding: "utf-8 with stray bytes", bom };
  return { encoding: chineseForm(bytes, isPart) ?? westernForm(bytes), bom: false };
}

export function decodeAs(bytes: Buffer, form: TextForm): string {
  const body = form.bom ? bytes.subarray(bomLength(form)) : bytes;
  switch (form.encoding) {
    case "utf-8":
      return body.toString("utf8");
    case "utf-8 with stray bytes":
      return decodeStray(body);
    case "utf-16le":
    case "utf-16be":
      return decodeUtf16(body, form.encoding);
    case "latin-1":
      return body.toString("latin1");
    case "windows-1252":
      return decode1252(body);
    default:
      return new TextDecoder("gb18030").decode(body);
  }
}

export function bomLength({ encoding, bom }: TextForm): 0 | 2 | 3 {
  if (!bom) return 0;
  return encoding.startsWith("utf-16") ? 2 : 3;
}

export function encodeText(text: string, form: TextForm): Buffer | { readonly misfit: string } {
  switch (form.encoding) {
    case "utf-8":
      return text.isWellFormed() ? withMark(Buffer.from(text), form) : { misfit: "\ufffd" };
    case "utf-8 with stray bytes":
      return withMark(encodeStray(text), form);
    case "utf-16le":
    case "utf-16be":
      return encodeUtf16(text, form.encoding, form.bom);
    case "latin-1": {
      const misfit = /[^\u0000-\u00ff]/u.exec(text)?.[0];
      return misfit === undefined ? Buffer.from(text, "latin1") : { misfit };
    }
    case "windows-1252":
      return encode1252(text);
    default:
      return encodeGb(text, form.encoding === "gbk");
  }
}

function withMark<T>(bytes: Buffer | T, { bom }: TextForm): Buffer | T {
  return bom && Buffer.isBuffer(bytes) ? Buffer.concat([bomUtf8, bytes]) : bytes;
}

export function isCrOnly(text: string): boolean {
  return text.includes("\r") && !text.includes("\n");
}

export function binaryKind(head: Buffer): string {
  const found = magic.find(([, start]) => head.toString("latin1", 0, start.length) === start);
  return found?.[0] ?? "binary data";
}

const magic: readonly (readonly [kind: string, start: string])[] = [
  ["PNG image", "\x89PNG"],
  ["JPEG image", "\xff\xd8\xff"],
  ["GIF image", "GIF8"],
  ["PDF document", "%PDF"],
  ["ZIP archive", "PK\x03\x04"],
  ["gzip archive", "\x1f\x8b"],
  ["ELF program", "\x7fELF"],
  ["SQLite database", "SQLite format 3"],
  ["WebAssembly", "\x00asm"],
];

function whole(bytes: Buffer, isPart: boolean): Buffer {
  if (!isPart) return bytes;
  let end = bytes.length;
  for (let back = 0; back < 3 && end > 0 && (bytes[end - 1]! & 0xc0) === 0x80; back++) end--;
  return bytes.subarray(0, end > 0 && bytes[end - 1]! >= 0xc0 ? end - 1 : end);
}

/** Text in other encodings than UTF-8 contains no control characters but white space, escape and DOS's end-of-file mark. */
function hasControls(bytes: Buffer): boolean {
  return bytes.some((byte) => byte < 0x20 && !(byte >= 7 && byte <= 13) && byte !== 0x1a && byte !== 0x1b);
}

function westernForm(bytes: Buffer): "latin-1" | "windows-1252" {
  return bytes.some((byte) => byte >= 0x80 && byte < 0xa0) ? "windows-1252" : "latin-1";
}

/**
 * Latin-1 words often form valid GBK pairs ("Müller"), but there a letter follows the accented one, while most Chinese characters are
 * pairs of two high bytes: require those for a third of the pairs.
 */
function chineseForm(bytes: Buffer, isPart: boolean): "gbk" | "gb18030" | null {
  let pairs = 0;
  let high = 0;
  let fours = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    const length = codeLength(bytes, at);
    if (length === 0) {
      if (isPart && bytes.length - at < 4) break;
      return null;
    }
    if (length === 4) fours++;
    else pairs++;
    if (length === 2 && bytes[at + 1]! >= 0xa1) high++;
    at += length - 1;
  }
  if (fours === 0 && high * 3 < pairs) return null;
  return fours > 0 ? "gb18030" : "gbk";
}

/** Length of the GB18030 code at this offset: 2, 4, or 0 if invalid. */
function codeLength(bytes: Buffer, at: number): 0 | 2 | 4 {
  const isLead = (byte: number): boolean => byte > 0x80 && byte < 0xff;
  const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
  const [lead = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (!isLead(lead)) return 0;
  if (isDigit(second)) return isLead(third) && isDigit(fourth) ? 4 : 0;
  return second >= 0x40 && second !== 0x7f && second !== 0xff ? 2 : 0;
}

// Windows-1252: Latin-1 with printable characters instead of C1 control codes, as in most files called Latin-1.
/** 0x80 to 0x9f; the five undefined bytes map to their control codes, so that every byte survives a round trip. */
const upper =
  "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f" + // 80
  "\u0090‘’“”•–—˜™š›œ\u009džŸ"; // 90

const byteOf = new Map(Array.from(upper, (char, index) => [char, 0x80 + index]));

function decode1252(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\u0080-\u009f]/g, (char) => upper[char.charCodeAt(0) - 0x80] ?? char);
}

const misfitting = new RegExp(`[^\\u0000-\\u007f\\u00a0-\\u00ff${upper}]`, "u");

function encode1252(text: string): Buffer | { readonly misfit: string } {
  const misfit = misfitting.exec(text)?.[0];
  if (misfit !== undefined) return { misfit };
  const narrow = text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, (char) => String.fromCharCode(byteOf.get(char) ?? 0));
  return Buffer.from(narrow, "latin1");
}
