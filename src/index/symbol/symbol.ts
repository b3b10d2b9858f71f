import { mustBe } from "../database.ts";

/** Something a file defines. */
export interface FileSymbol {
  readonly name: string;
  readonly kind: string;
  /** From 1. */
  readonly line: number;
  /** The last line; the first where only that is known. */
  readonly end: number;
  /** 0 = of the file itself, 1 = of something in it. */
  readonly depth: number;
  /** The line that says it, cut. */
  readonly text: string;
}

/** Of one file; what has more is made by a machine. */
export const maxSymbols = 2_000;
const maxTextChars = 100;

/** Says nothing of what is defined, and half a secret would not look like one any more. */
const longText = /(["'`])(?:\\.|(?!\1).){16,}(?:\1|$)/g;

export function shownText(line: string): string {
  const bare = hasQuote(line) ? line.slice(0, 1000).replace(longText, "$1…$1") : line;
  const plain = bare.trim().replace(/\s*\{\s*\}?$/, "");
  return (plain.length > maxTextChars ? `${wholeWords(plain.slice(0, maxTextChars + 1))}…` : plain).toWellFormed();
}

/** A line that was cut somewhere, without its last word: half of that might be half a secret, which nobody would recognise. */
export function wholeWords(cut: string): string {
  return cut.replace(/\S+$/, "").trimEnd();
}

/** Most lines have none, and every definition of a repository comes by here. */
function hasQuote(line: string): boolean {
  return line.includes('"') || line.includes("'") || line.includes("`");
}

export function packSymbols(symbols: readonly FileSymbol[]): string {
  return JSON.stringify(symbols.map(({ name, kind, line, end, depth, text }) => [name, kind, line, end, depth, text]));
}

type Packed = [name: string, kind: string, line: number, end: number, depth: number, text: string];

export function unpackSymbols(packed: unknown): readonly FileSymbol[] {
  return listIn(packed).map((one) => {
    mustBe(isPacked(one));
    const [name, kind, line, end, depth, text] = one as Packed;
    return { name, kind, line, end, depth, text };
  });
}

function listIn(packed: unknown): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(String(packed));
    if (Array.isArray(list)) return list;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  mustBe(false);
  return [];
}

function isPacked(one: unknown): boolean {
  if (!Array.isArray(one)) return false;
  const [name, kind, line, end, depth, text] = one;
  return [name, kind, text].every((word) => typeof word === "string") && [line, end, depth].every(Number.isFinite);
}
