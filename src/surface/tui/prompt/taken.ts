// Text as it is taken in. What is seen is what is sent: characters that hide are spelled out, tabs and line ends stay what they are.
import { plain } from "../../../contract/show/visible.ts";
import { folded } from "./folds.ts";
import { written } from "./mention.ts";

export function taken(text: string): string {
  return plain(text.replace(/\r\n?/g, "\n")).replace(folded, "\ufffd");
}

const start = "\x1b[200~";
const end = "\x1b[201~";

interface Read {
  /** Keys before it. */
  readonly keys: string;
  /** `null`: not all of it is there. */
  readonly text: string | null;
  /** What follows it. */
  readonly rest: string;
}

/** A paste may come in pieces, with keys before and behind it. */
export class Pasting {
  private parts: string[] | null = null;

  /** `null`: it is no paste. */
  read(data: string): Read | null {
    const from = this.parts === null ? data.indexOf(start) : 0;
    if (from === -1) return null;
    if (from > 0) return { keys: data.slice(0, from), text: null, rest: data.slice(from) };
    const piece = this.parts === null ? data.slice(start.length) : data;
    this.parts = [...(this.parts ?? []), piece];
    // Its end may be cut in two.
    const isNear = piece.includes("~") || piece.length < end.length;
    const whole = isNear ? this.parts.join("") : "";
    const at = whole.indexOf(end);
    if (at === -1) return { keys: "", text: null, rest: "" };
    this.parts = null;
    return { keys: "", text: decoded(whole.slice(0, at)), rest: whole.slice(at + end.length) };
  }
}

/** Inside of tmux a paste may hold line ends and tabs as keys: Ctrl+J, Ctrl+M, Ctrl+I. */
function decoded(text: string): string {
  return text.replace(/\x1b\[(9[7-9]|1[01]\d|12[0-2]);5u/g, (_, code: string) =>
    String.fromCharCode(Number(code) - 96),
  );
}

const image = /\.(?:png|jpe?g|gif|webp)$/i;

/** A picture that was dropped on the terminal arrives as its path, in whatever way that terminal writes paths. */
export function asImage(text: string): string | null {
  const one = text.trim();
  if (one.length > 1_024 || one.includes("\n")) return null;
  const quoted = /^(['"])(.*)\1$/.exec(one)?.[2];
  const path = quoted ?? fromUrl(one) ?? unescaped(one);
  if (path === null || !path.includes("/") || /^[a-z]+:/i.test(path)) return null;
  return image.test(path) ? written(path) : null;
}

function fromUrl(text: string): string | null {
  if (!/^file:\/\/(?:localhost)?\//.test(text)) return null;
  try {
    return decodeURIComponent(text.replace(/^file:\/\/(?:localhost)?/, ""));
  } catch {
    // `%` followed by anything: it is no address, and stays what was pasted.
    return null;
  }
}

/** A blank that is not escaped ends a path: then it is a sentence. */
function unescaped(text: string): string | null {
  return /^(?:\\.|[^\s\\])+$/.test(text) ? text.replace(/\\(.)/g, "$1") : null;
}
