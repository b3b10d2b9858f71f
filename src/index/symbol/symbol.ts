import { listOf, parsedJson } from "../../contract/json.ts";
import { mustBe } from "../database.ts";

export interface FileSymbol {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  readonly end: number;
  /** 0 = at the top level of the file, 1 = inside another definition. */
  readonly depth: number;
  readonly text: string;
}

export const maxSymbols = 2_000;
const maxTextChars = 100;

/** Long strings tell nothing about a definition, and a shortened secret would not be recognizable any more. */
const longText = /(["'`])(?:\\.|(?!\1).){16,}(?:\1|$)/g;

export function shownText(line: string): string {
  const bare = hasQuote(line) ? line.slice(0, 1000).replace(longText, "$1…$1") : line;
  const plain = bare.trim().replace(/\s*\{\s*\}?$/, "");
  return (plain.length > maxTextChars ? `${wholeWords(plain.slice(0, maxTextChars + 1))}…` : plain).toWellFormed();
}

/** Drops the last word of a cut line: it may be a part of a secret, which would not be recognizable. */
export function wholeWords(cut: string): string {
  return cut.replace(/\S+$/, "").trimEnd();
}

/** Cheap check: most lines have no quotes, and every definition of a repository passes here. */
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
  const list = parsedJson(String(packed));
  mustBe(Array.isArray(list));
  return listOf(list);
}

function isPacked(one: unknown): boolean {
  if (!Array.isArray(one)) return false;
  const [name, kind, line, end, depth, text] = one;
  return [name, kind, text].every((word) => typeof word === "string") && [line, end, depth].every(Number.isFinite);
}
