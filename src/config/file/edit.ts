// Edits one key of a JSONC text. Every other byte stays: comments, order, white space, line endings.
import { entryAt, type Json, type JsonEntry, parseJsonc, skipBlank } from "./jsonc.ts";

type JsonObject = Extract<Json, { readonly kind: "object" }>;

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Sets the value at `path`. `text` must be an object, or blank. */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  if (skipBlank(text, 0) === text.length) return withValue(`${text}${openingOf(text)}`, path, value);
  let at = rootOf(text);
  for (const [depth, key] of path.entries()) {
    const rest = path.slice(depth + 1);
    const entry = entryAt(at, key);
    if (!entry) return insert(text, at, key, nest(rest, value));
    if (rest.length === 0 || entry.value.kind !== "object") return replace(text, entry, nest(rest, value));
    at = entry.value;
  }
  throw new Error("a path has at least one name");
}

/**
 * Appends `item` to the list at `path`, creating it if needed. A list that contains the item, or a value that is not a list, stays as it
 * is.
 */
export function withItem(text: string, path: readonly string[], item: string): string {
  const list = skipBlank(text, 0) === text.length ? undefined : valueAt(rootOf(text), path);
  if (list === undefined) return withValue(text, path, [item]);
  if (list?.kind !== "array" || list.items.some(({ value }) => value.kind === "scalar" && value.value === item))
    return text;
  const last = list.items.at(-1)?.value;
  const at = last?.to ?? list.from + 1;
  return apply(text, [{ from: at, to: at, text: `${last ? ", " : ""}${JSON.stringify(item)}` }]);
}

/** `undefined` = missing; `null` = the path leads through something that is not an object. */
function valueAt(root: Json, path: readonly string[]): Json | undefined | null {
  let at = root;
  for (const key of path) {
    if (at.kind !== "object") return null;
    const entry = entryAt(at, key);
    if (!entry) return undefined;
    at = entry.value;
  }
  return at;
}

/** Removes the key at `path`; `null` = not there. */
export function withoutValue(text: string, path: readonly string[]): string | null {
  if (skipBlank(text, 0) === text.length) return null;
  let at = rootOf(text);
  for (const [depth, key] of path.entries()) {
    const index = at.entries.findIndex((one) => one.key === key);
    const entry = at.entries[index];
    if (!entry) return null;
    if (depth === path.length - 1) return remove(text, at.entries, index);
    if (entry.value.kind !== "object") return null;
    at = entry.value;
  }
  return null;
}

function rootOf(text: string): JsonObject {
  const parsed = parseJsonc(text);
  if ("value" in parsed && parsed.value.kind === "object") return parsed.value;
  throw new Error("only a text that is an object can be edited");
}

/** In a file of only comments, the object goes on its own line after them. */
function openingOf(text: string): string {
  const { eol } = layoutOf(text);
  return text === "" || text === "\ufeff" || text.endsWith("\n") ? `{}${eol}` : `${eol}{}${eol}`;
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function replace(text: string, entry: JsonEntry, value: unknown): string {
  const layout = layoutOf(text);
  const { from, to } = entry.value;
  return apply(text, [{ from, to, text: print(value, layout, indentOf(text, entry.keyFrom)) }]);
}

function insert(text: string, object: JsonObject, key: string, value: unknown): string {
  const layout = layoutOf(text);
  const last = object.entries.at(-1);
  return apply(
    text,
    last ? afterLast(text, object, last, key, value, layout) : first(text, object, key, value, layout),
  );
}

function first(text: string, object: JsonObject, key: string, value: unknown, layout: Layout): readonly Change[] {
  const { eol, unit } = layout;
  const outer = indentOf(text, object.from);
  const at = endOfLineComments(text, object.from + 1);
  const isOpen = /^[ \t]*\r?\n/.test(text.slice(at));
  const entry = `${eol}${outer}${unit}${JSON.stringify(key)}: ${print(value, layout, outer + unit)}`;
  return [{ from: at, to: at, text: isOpen ? entry : `${entry}${eol}${outer}` }];
}

/** Inserts after the last entry and the comments on its line. Keeps the file's habit of trailing commas. */
function afterLast(
  text: string,
  object: JsonObject,
  last: JsonEntry,
  key: string,
  value: unknown,
  layout: Layout,
): readonly Change[] {
  const after = skipBlank(text, last.value.to);
  const hasComma = text[after] === ",";
  const tail = hasComma ? after + 1 : last.value.to;
  const at = endOfLineComments(text, tail);
  const isOpen = text.slice(object.from, last.keyFrom).includes("\n") || text.slice(tail, at).includes("//");
  const indent = indentOf(text, last.keyFrom);
  const written = isOpen ? print(value, layout, indent) : JSON.stringify(value);
  const entry = `${isOpen ? `${layout.eol}${indent}` : " "}${JSON.stringify(key)}: ${written}${hasComma ? "," : ""}`;
  const comma = hasComma ? [] : [{ from: last.value.to, to: last.value.to, text: "," }];
  return [...comma, { from: at, to: at, text: entry }];
}

/** Removes an entry with the comma after it, or for the last entry the comma before it. */
function remove(text: string, entries: readonly JsonEntry[], index: number): string {
  const entry = entries[index];
  const before = entries[index - 1];
  if (!entry) return text;
  const { to } = entry.value;
  const after = skipBlank(text, to);
  const hasComma = text[after] === ",";
  const from = entry.keyFrom;
  const changes: Change[] = [];
  if (!hasComma && before) {
    const comma = skipBlank(text, before.value.to);
    changes.push({ from: comma, to: comma + 1, text: "" });
  }
  const end = hasComma && /^[ \t]*$/.test(text.slice(to, after)) ? after + 1 : to;
  if (hasComma && end === to) changes.push({ from: after, to: after + 1, text: "" });
  return apply(text, [...changes, { ...widened(text, from, end, hasComma), text: "" }]);
}

/** Extends the range to the whole line if it holds nothing else, or by the spaces next to the entry. */
function widened(text: string, from: number, to: number, hasComma: boolean): { from: number; to: number } {
  const lineFrom = text.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = /^[ \t]*(?:\r?\n)/.exec(text.slice(to))?.[0].length;
  if (lineEnd !== undefined && lineFrom > 0 && text.slice(lineFrom, from).trim() === "") {
    return { from: lineFrom, to: to + lineEnd };
  }
  const blanksAfter = /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  const blanksBefore = /[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0;
  return hasComma ? { from, to: to + blanksAfter } : { from: from - blanksBefore, to };
}

/** The end of the comments that start and end on this line. */
function endOfLineComments(text: string, at: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/))*/y;
  comments.lastIndex = at;
  return at + (comments.exec(text)?.[0].length ?? 0);
}

function indentOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^\ufeff?([ \t]*)/.exec(line)?.[1] ?? "";
}

/** Applies from the end, so that offsets stay valid; of two changes at one offset, the first comes first in the text. */
function apply(text: string, changes: readonly Change[]): string {
  return changes
    .toReversed()
    .sort((one, other) => other.from - one.from)
    .reduce((done, { from, to, text: fresh }) => done.slice(0, from) + fresh + done.slice(to), text);
}

interface Layout {
  readonly eol: string;
  readonly unit: string;
}

function layoutOf(text: string): Layout {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return { eol, unit };
}

/** Formats over several lines, but a list of scalars on one. */
function print(value: unknown, layout: Layout, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item !== "object" || item === null)) {
    return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  }
  const inner = indent + layout.unit;
  const rows: readonly string[] = isList
    ? value.map((item) => print(item, layout, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, layout, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (rows.length === 0) return open + close;
  const { eol } = layout;
  return `${open}${eol}${inner}${rows.join(`,${eol}${inner}`)}${eol}${indent}${close}`;
}
