// Sanitizes input, so that the user sees what is sent: hidden characters become visible, tabs and line breaks stay.
import { plain } from "../../../contract/show/visible.ts";
import { folded } from "./folds.ts";

export function sanitized(text: string): string {
  return plain(text.replace(/\r\n?/g, "\n")).replace(folded, "\ufffd");
}

const start = "\x1b[200~";
const end = "\x1b[201~";

interface Read {
  readonly keys: string;
  /** `null`: the paste is incomplete. */
  readonly text: string | null;
  readonly rest: string;
}

/** A paste may arrive in pieces, with keys before and behind it. */
export class Pasting {
  private parts: string[] | null = null;

  read(data: string): Read | null {
    const from = this.parts === null ? data.indexOf(start) : 0;
    if (from === -1) return null;
    if (from > 0) return { keys: data.slice(0, from), text: null, rest: data.slice(from) };
    const piece = this.parts === null ? data.slice(start.length) : data;
    this.parts = [...(this.parts ?? []), piece];
    // The end mark may be split in two.
    const isNear = piece.includes("~") || piece.length < end.length;
    const whole = isNear ? this.parts.join("") : "";
    const at = whole.indexOf(end);
    if (at === -1) return { keys: "", text: null, rest: "" };
    this.parts = null;
    return { keys: "", text: decoded(whole.slice(0, at)), rest: whole.slice(at + end.length) };
  }
}

/** In tmux a paste may contain line breaks and tabs as keys: Ctrl+J, Ctrl+M, Ctrl+I. */
function decoded(text: string): string {
  return text.replace(/\x1b\[(9[7-9]|1[01]\d|12[0-2]);5u/g, (_, code: string) =>
    String.fromCharCode(Number(code) - 96),
  );
}

const image = /\.(?:png|jpe?g|gif|webp)$/i;

/** An image that is dropped on the terminal arrives as its path, quoted or escaped in that terminal's way. */
export function asImage(text: string): string | null {
  const one = text.trim();
  if (one.length > 1_024 || one.includes("\n")) return null;
  const quoted = /^(['"])(.*)\1$/.exec(one)?.[2];
  const path = quoted ?? fromUrl(one) ?? unescaped(one);
  if (path === null || !path.includes("/") || /^[a-z]+:/i.test(path)) return null;
  return image.test(path) ? mentionOf(path) : null;
}

function fromUrl(text: string): string | null {
  if (!/^file:\/\/(?:localhost)?\//.test(text)) return null;
  try {
    return decodeURIComponent(text.replace(/^file:\/\/(?:localhost)?/, ""));
  } catch {
    // `%` without a valid code: not a URL, so the pasted text stays.
    return null;
  }
}

/** An unescaped blank means a sentence, not a path. */
function unescaped(text: string): string | null {
  return /^(?:\\.|[^\s\\])+$/.test(text) ? text.replace(/\\(.)/g, "$1") : null;
}

// `@path` while it is typed, and the syntax it needs (docs/guide/mentions.md).

/** Scripts without blanks between words: an `@` may follow any character. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}ー]$/u;
/** Characters before an `@` that is part of an address, a package name or a path. */
const inWord = /[\p{L}\p{M}\p{N}_.+\-@/\\%~$&]$/u;
/** From the `@` to the cursor: an open quotation, or text without blanks. */
const open = /^@(?:"([^"]*)|'([^']*)|“([^”]*)|‘([^’]*)|((?:\\.|[^\s\\"'“‘])(?:\\.|[^\s\\])*)?)$/u;
const mostMention = 1_024;

export interface OpenMention {
  readonly from: number;
  readonly typed: string;
  readonly quote: string;
}

export function openMention(before: string): OpenMention | null {
  const least = Math.max(0, before.length - mostMention);
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

export function mentionOf(path: string): string {
  if (!/[\s\\]|^[@"'“‘]/u.test(path)) return `@${path}`;
  const quote = ['"', "'"].find((one) => !path.includes(one));
  return quote === undefined ? `@${path.replace(/[\s\\@"'“‘]/gu, "\\$&")}` : `@${quote}${path}${quote}`;
}

/** Said to a shell or an interpreter, it leaves. */
export function isFarewell(text: string): boolean {
  return /^(?:exit|quit)$/i.test(text.trim());
}
