import { createScanner, type Node, type ParseError, parseTree } from "jsonc-parser/lib/esm/main.js";

/** JSON with comments and trailing commas, with the line and the range of each value. */
export type Json = Span &
  (
    | { readonly kind: "object"; readonly entries: readonly JsonEntry[] }
    | { readonly kind: "array"; readonly items: readonly JsonItem[] }
    | { readonly kind: "scalar"; readonly value: string | number | boolean | null }
  );

interface Span {
  readonly from: number;
  readonly to: number;
}

interface JsonItem {
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

const blank = /(?:[ \t\r\n\ufeff]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
const maxDepth = 32;

/** The index of the next token. An unclosed comment is not skipped. */
export function skipBlank(text: string, at: number): number {
  blank.lastIndex = at;
  return at + (blank.exec(text)?.[0].length ?? 0);
}

export function entryAt(json: Json | undefined, key: string): JsonEntry | undefined {
  return json?.kind === "object" ? json.entries.find((entry) => entry.key === key) : undefined;
}

export function parseJsonc(source: string): { readonly value: Json } | { readonly problem: JsonProblem } {
  // Replacing the BOM by a space keeps offsets valid.
  const text = source.replace(/^\ufeff/, " ");
  const deep = firstTooDeep(text);
  if (deep !== null) return { problem: { kind: "deep", line: lineCounter(text)(deep) } };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (errors[0]) return { problem: problemAt(text, errors[0].offset) };
  if (root === undefined) return { problem: { kind: "end", line: 1 } };
  const tree: Tree = { lineOf: lineCounter(text), twice: null };
  const value = jsonOf(root, tree);
  return tree.twice === null ? { value } : { problem: tree.twice };
}

interface Tree {
  /** Offsets must not decrease between calls. */
  readonly lineOf: (offset: number) => number;
  twice: JsonProblem | null;
}

/** jsonc-parser recurses per level, even after an error, so check the depth first. */
function firstTooDeep(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const sign = text[scanner.getTokenOffset()];
    if (sign === "{" || sign === "[") depth++;
    if (sign === "}" || sign === "]") depth--;
    if (depth > maxDepth) return scanner.getTokenOffset();
  }
  return null;
}

function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    line += text.slice(counted, offset).split("\n").length - 1;
    counted = offset;
    return line;
  };
}

function problemAt(text: string, offset: number): JsonProblem {
  const line = lineCounter(text)(offset);
  if (offset >= text.length) return { kind: "end", line };
  // Only one character: a longer excerpt could reveal part of a key.
  return { kind: "unexpected", line, found: String.fromCodePoint(text.codePointAt(offset) ?? 0) };
}

function jsonOf(node: Node, tree: Tree): Json {
  const span = { from: node.offset, to: node.offset + node.length };
  const children = node.children ?? [];
  if (node.type === "object") return { kind: "object", entries: entriesOf(children, tree), ...span };
  if (node.type !== "array") return { kind: "scalar", value: node.value as string | number | boolean | null, ...span };
  const items = children.map((item) => ({ line: tree.lineOf(item.offset), value: jsonOf(item, tree) }));
  return { kind: "array", items, ...span };
}

function entriesOf(properties: readonly Node[], tree: Tree): readonly JsonEntry[] {
  const keys = new Set<string>();
  return properties.flatMap(({ offset, children: [name, value] = [] }) => {
    if (name === undefined || value === undefined) return [];
    const key = name.value as string;
    const line = tree.lineOf(offset);
    if (keys.has(key)) tree.twice ??= { kind: "duplicate", line, key };
    keys.add(key);
    return [{ key, keyFrom: offset, line, value: jsonOf(value, tree) }];
  });
}
