/** JSON with comments and trailing commas, as a tree that knows its lines and where in the text each value stands. */
export type Json = Span &
  (
    | { readonly kind: "object"; readonly entries: readonly JsonEntry[] }
    | { readonly kind: "array"; readonly items: readonly JsonItem[] }
    | { readonly kind: "scalar"; readonly value: string | number | boolean | null }
  );

interface Span {
  readonly from: number;
  /** Behind the last character. */
  readonly to: number;
}

export interface JsonItem {
  readonly line: number;
  readonly value: Json;
}

export interface JsonEntry extends JsonItem {
  readonly key: string;
  readonly keyFrom: number;
}

export type JsonProblem =
  | { readonly kind: "unexpected"; readonly line: number; readonly found: string }
  | { readonly kind: "end"; readonly line: number }
  | { readonly kind: "duplicate"; readonly line: number; readonly key: string }
  | { readonly kind: "deep"; readonly line: number };

interface Token extends Span {
  /** The character itself for punctuation; `end` after the last. */
  readonly kind: "string" | "number" | "word" | "bad" | "end" | "{" | "}" | "[" | "]" | "," | ":";
  readonly text: string;
  readonly line: number;
}

interface Cursor {
  readonly next: () => Token;
  readonly peek: () => Token;
  /** The first thing wrong; everything returns `null` from then on. */
  problem: JsonProblem | null;
}

const blank = /(?:[ \t\r\n\ufeff]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
// Only what JSON.parse accepts, so that it cannot fail on a token.
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const word = /(?:true|false|null)\b/y;
const punctuation = /[{}[\],:]/y;
const maxDepth = 32;

export function parseJsonc(text: string): { readonly value: Json } | { readonly problem: JsonProblem } {
  const cursor = tokensOf(text);
  const value = parseValue(cursor, 0);
  if (value !== null && cursor.peek().kind !== "end") unexpected(cursor, cursor.peek());
  return value === null || cursor.problem ? { problem: cursor.problem ?? { kind: "end", line: 1 } } : { value };
}

/** Where the next thing that is neither blank nor comment begins. */
export function skipBlank(text: string, at: number): number {
  blank.lastIndex = at;
  return at + (blank.exec(text)?.[0].length ?? 0);
}

function tokensOf(text: string): Cursor {
  let at = 0;
  let line = 1;
  let ahead: Token | null = null;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  const read = (): Token => {
    line += (match(blank) ?? "").split("\n").length - 1;
    const from = at;
    if (at >= text.length) return { kind: "end", text: "", line, from, to: at };
    for (const [kind, pattern] of [
      ["string", string],
      ["number", number],
      ["word", word],
    ] as const) {
      const found = match(pattern);
      if (found !== null) return { kind, text: found, line, from, to: at };
    }
    const mark = match(punctuation) as "{" | null;
    return mark === null
      ? { kind: "bad", text: [...text.slice(at, at + 2)][0] ?? "", line, from, to: at }
      : { kind: mark, text: mark, line, from, to: at };
  };
  const peek = (): Token => {
    ahead ??= read();
    return ahead;
  };
  const next = (): Token => {
    const token = peek();
    ahead = null;
    return token;
  };
  return { peek, next, problem: null };
}

function parseValue(cursor: Cursor, depth: number): Json | null {
  const token = cursor.next();
  const { from, to } = token;
  if (depth > maxDepth) return failed(cursor, { kind: "deep", line: token.line });
  switch (token.kind) {
    case "string":
    case "number":
    case "word":
      return { kind: "scalar", value: JSON.parse(token.text) as string | number | boolean | null, from, to };
    case "{":
      return parseObject(cursor, depth, from);
    case "[":
      return parseArray(cursor, depth, from);
    default:
      return unexpected(cursor, token);
  }
}

function parseObject(cursor: Cursor, depth: number, from: number): Json | null {
  const entries = new Map<string, JsonEntry>();
  for (;;) {
    const first = cursor.next();
    if (first.kind === "}") return { kind: "object", entries: [...entries.values()], from, to: first.to };
    if (first.kind !== "string") return unexpected(cursor, first);
    const key = JSON.parse(first.text) as string;
    if (entries.has(key)) return failed(cursor, { kind: "duplicate", line: first.line, key });
    const colon = cursor.next();
    if (colon.kind !== ":") return unexpected(cursor, colon);
    const value = parseValue(cursor, depth + 1);
    if (value === null) return null;
    entries.set(key, { key, keyFrom: first.from, line: first.line, value });
    if (!takeComma(cursor, "}")) return null;
  }
}

function parseArray(cursor: Cursor, depth: number, from: number): Json | null {
  const items: JsonItem[] = [];
  for (;;) {
    const { kind, line } = cursor.peek();
    if (kind === "]") return { kind: "array", items, from, to: cursor.next().to };
    const value = parseValue(cursor, depth + 1);
    if (value === null) return null;
    items.push({ line, value });
    if (!takeComma(cursor, "]")) return null;
  }
}

/** After a member: a comma, or the closing bracket, which is left for the caller. */
function takeComma(cursor: Cursor, close: "}" | "]"): boolean {
  if (cursor.peek().kind === close) return true;
  const token = cursor.next();
  if (token.kind === ",") return true;
  unexpected(cursor, token);
  return false;
}

function unexpected(cursor: Cursor, { kind, text, line }: Token): null {
  // The text of a string is never shown: it may be a key.
  const found = kind === "string" ? '"' : text;
  return failed(cursor, kind === "end" ? { kind: "end", line } : { kind: "unexpected", line, found });
}

function failed(cursor: Cursor, problem: JsonProblem): null {
  cursor.problem ??= problem;
  return null;
}
