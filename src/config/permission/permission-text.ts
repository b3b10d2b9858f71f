import { type HostPattern, parseHost } from "../../contract/network/network.ts";
import type { CommandPattern, PermissionRule } from "../../contract/permission.ts";
import { type Phrase, phrase, type TextKey } from "../../contract/text/catalogue.ts";
import { nearest } from "../file/nearest.ts";
import { ruleTools } from "../file/setting-schema.ts";

type Parsed<T> = { readonly value: T } | { readonly problem: Phrase };
type Named = Pick<PermissionRule, "tool" | "command" | "path" | "host">;

/**
 * Parses `read`, `write(docs/**)`, `bash(npm test)`, `bash(npm run *)`, `fetch(docs.python.org)`, `network(github.com)`. `where` starts
 * each message.
 */
export function parseRule(text: string, where: string): Parsed<Named> {
  const form = /^\s*([A-Za-z_]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
  if (form === null) return bad("permission.bad_rule", { where });
  const [, tool = "", named] = form;
  const known = checkTool(tool, where);
  if (known !== null) return { problem: known };
  if (named === undefined) return tool === "network" ? bad("permission.network_alone", { where }) : { value: { tool } };
  if (tool === "bash") {
    const command = parseCommand(named, where);
    return "problem" in command ? command : { value: { tool, command: command.value } };
  }
  if (tool === "fetch" || tool === "network") {
    const host = checkHost(named, where);
    return "problem" in host ? host : { value: { tool, host: host.value } };
  }
  const path = checkPath(named, where);
  return "problem" in path ? path : { value: { tool, path: path.value } };
}

/** A misspelt tool would make the rule match nothing. */
function checkTool(tool: string, where: string): Phrase | null {
  if (ruleTools.includes(tool)) return null;
  const near = nearest(tool, ruleTools);
  return near === null
    ? phrase("permission.bad_tool", { where, tool, tools: ruleTools.join(", ") })
    : phrase("permission.bad_tool_near", { where, tool, near });
}

/** Plain shell words; a final ` *` matches any further words, ` <sha256:…` the standard input. Expansions are rejected. */
export function parseCommand(text: string, where: string): Parsed<CommandPattern> {
  const [, before = text, input] = /^(.*?)\s*<\s*(sha256:[0-9a-f]{64})\s*$/s.exec(text) ?? [];
  const words = wordsOf(before);
  if (typeof words === "string") return bad("permission.bad_word", { where, part: words });
  const isExact = words.at(-1) !== anything;
  const named = isExact ? words : words.slice(0, -1);
  if (named.includes(anything)) return bad("permission.star_inside", { where });
  const argv = named.filter((word) => word !== anything);
  const [program] = argv;
  if (program === undefined || program === "") return bad("permission.no_program", { where });
  if (/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(program)) return bad("permission.assignment", { where, part: program });
  return { value: { argv, isExact, ...(input === undefined ? {} : { input }) } };
}

const anything = Symbol("*");

/** The words, or the part that is not a plain word. */
function wordsOf(text: string): readonly (string | typeof anything)[] | string {
  const words: (string | typeof anything)[] = [];
  let at = after(blank, text, 0);
  while (at < text.length) {
    const { word, end } = wordAt(text, at);
    const star = after(lastStar, text, at);
    const stop = Math.max(end, star);
    // These are special only at the start of a word.
    if (/[#~!]/.test(text[at] ?? "")) return text.slice(at);
    if (stop < text.length && !/\s/.test(text[stop] ?? "")) return text.slice(stop);
    words.push(star > at ? anything : word);
    at = after(blank, text, stop);
  }
  return words;
}

const blank = /\s*/y;
const lastStar = /(?:\*(?=\s|$))?/y;

function after(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return at + (form.exec(text)?.[0].length ?? 0);
}

// Each matches at least one character; text that a shell would expand matches none.
const pieces: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/'([^']*)'/y, (text) => text],
  [/"((?:[^"\\$`]|\\["\\$`])*)"/y, (text) => text.replace(/\\(.)/g, "$1")],
  [/\\([^\n])/y, (text) => text],
  [/([^\s'"\\$`|&;<>()*?[\]{}]+)/y, (text) => text],
];

/** The longest word at this index, possibly empty. */
function wordAt(text: string, from: number): { readonly word: string; readonly end: number } {
  let word = "";
  let end = from;
  for (let piece = pieceAt(text, end); piece !== null; piece = pieceAt(text, end)) {
    word += piece.value;
    end += piece.length;
  }
  return { word, end };
}

function pieceAt(text: string, at: number): { readonly value: string; readonly length: number } | null {
  for (const [form, read] of pieces) {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found) return { value: read(found[1] ?? ""), length: found[0].length };
  }
  return null;
}

export function checkPath(text: string, where: string): Parsed<string> {
  const path = text.trim();
  const bare = path.replace(/\\./gs, "_");
  if (path === "" || /[\u0000-\u001f]/.test(path)) return bad("permission.bad_path", { where });
  if (bare.includes("{") && bare.includes(",", bare.indexOf("{"))) return bad("permission.braces", { where });
  if (bare.split("/").includes("..")) return bad("permission.dots", { where });
  if (/^~[^/]/.test(bare)) return bad("permission.tilde", { where });
  return { value: path.endsWith("/") ? `${path}**` : path };
}

export function checkHost(text: string, where: string): Parsed<HostPattern> {
  const value = parseHost(text);
  return value === null ? bad("permission.bad_host", { where }) : { value };
}

function bad(key: TextKey, args: Readonly<Record<string, string>>): { problem: Phrase } {
  return { problem: phrase(key, args) };
}
