// Parses SKILL.md: the part between two lines of dashes describes the skill; the rest is for the model that uses it.

import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

export interface ParsedSkill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

const nameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const maxName = 64;

/** `folder`: its name must equal the skill's. */
export function parseSkill(text: string, folder: string): ParsedSkill | { readonly why: Phrase } {
  const form = /^---[ \t]*\r?\n([\s\S]*?\r?\n|)---[ \t]*(?:\r?\n|$)/.exec(text);
  if (form === null) return { why: phrase("skill.no_head") };
  const head = headOf(form[1] ?? "");
  const name = head.get("name") ?? "";
  const description = visible((head.get("description") ?? "").replace(/\s+/g, " ").trim());
  if (name === "") return { why: phrase("skill.no_key", { key: "name" }) };
  if (description === "") return { why: phrase("skill.no_key", { key: "description" }) };
  if (!nameForm.test(name) || name.length > maxName) return { why: phrase("skill.bad_name", { name: visible(name) }) };
  if (name !== folder) return { why: phrase("skill.other_name", { name, folder: visible(folder) }) };
  return { name, description, body: text.slice(form[0].length).trim() };
}

/** Top-level YAML keys with scalar values; lists and maps are not needed. */
function headOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const entry = /^([A-Za-z][\w-]{0,60}):(?:[ \t]+(.*))?$/.exec(line);
    if (entry === null) continue;
    const [, key = "", value = ""] = entry;
    let end = at + 1;
    while (end < lines.length && !/^\S/.test(lines[end] ?? "")) end++;
    found.set(key.toLowerCase(), scalarOf(value.trim(), lines.slice(at + 1, end)));
  }
  return found;
}

/** `below`: its continuation lines. */
function scalarOf(first: string, below: readonly string[]): string {
  const more = below.map((line) => line.trim()).filter((line) => line !== "");
  if (/^[|>][+-]?\d?[+-]?(?:\s+#.*)?$/.test(first)) return more.join(first.startsWith("|") ? "\n" : " ");
  const whole = [first, ...more].join(" ").replace(/\s+/g, " ");
  if (/^"(?:[^"\\]|\\.)*"/.test(whole)) return unquoted(/^"(?:[^"\\]|\\.)*"/.exec(whole)?.[0] ?? "");
  if (/^'(?:[^']|'')*'/.test(whole)) return (/^'((?:[^']|'')*)'/.exec(whole)?.[1] ?? "").replaceAll("''", "'");
  return whole.replace(/ #.*$/, "");
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch (error) {
    // Escapes that only YAML knows stay as written.
    if (error instanceof SyntaxError) return text.slice(1, -1);
    throw error;
  }
}
