import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { check } from "./check.ts";
import { entryAt, type Json, type JsonProblem, parseJsonc, skipBlank } from "./jsonc.ts";
import { type ConfigValues, configRules } from "./setting-schema.ts";

/** Validates every key; the error names file, line and key. */
export function parseConfig(bytes: Uint8Array, file: string): Result<ConfigValues> {
  const text = decodeConfig(bytes);
  if (text === null) return fail("E_CONFIG", phrase("config.not_utf8", { file }));
  const parsed = parseTree(text, file);
  if (!parsed.ok) return parsed;
  const at = (line: number, path: string): string => (path === "" ? file : `${file}:${line}: ${path}`);
  const checked = check(parsed.value, configRules, at);
  // `check` accepts exactly what the rules allow, and `ConfigValues` is derived from the same rules.
  if ("problem" in checked) return fail("E_CONFIG", checked.problem);
  const shared = sharedKey(parsed.value, at);
  return shared ? fail("E_CONFIG", shared) : ok(checked.value as ConfigValues);
}

export function parseTree(text: string, file: string): Result<Json> {
  const parsed = parseJsonc(text);
  return "problem" in parsed ? syntaxError(parsed.problem, file) : ok(parsed.value);
}

/** Accepts one object, or only white space and comments. */
export function mustBeEditable(text: string, file: string): Result<null> {
  if (skipBlank(text, 0) === text.length) return ok(null);
  const tree = parseTree(text, file);
  if (!tree.ok) return tree;
  return tree.value.kind === "object" ? ok(null) : fail("E_CONFIG", phrase("config.not_object", { file }));
}

/** Keeps the BOM, which counts as white space; `null` = not UTF-8. */
export function decodeConfig(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function syntaxError(problem: JsonProblem, file: string): { ok: false; error: ErrorInfo } {
  const where = `${file}:${problem.line}`;
  switch (problem.kind) {
    case "unexpected":
      return fail("E_CONFIG", phrase("config.syntax", { where, found: problem.found }));
    case "end":
      return fail("E_CONFIG", phrase("config.syntax_end", { where }));
    case "duplicate":
      return fail("E_CONFIG", phrase("config.duplicate", { where: `${where}: ${problem.key}` }));
    case "deep":
      return fail("E_CONFIG", phrase("config.deep", { where }));
  }
}

/** A key that `ui.keys` assigns to two actions, one of which would be ignored. Editor actions may share keys. */
function sharedKey(tree: Json, at: (line: number, path: string) => string): Phrase | null {
  const keys = entryAt(entryAt(tree, "ui")?.value, "keys")?.value;
  const holders = new Map<string, string>();
  for (const { key: action, line, value } of keys?.kind === "object" ? keys.entries : []) {
    if (action.startsWith("editor.")) continue;
    for (const one of value.kind === "array" ? value.items.map((item) => item.value) : [value]) {
      const key = one.kind === "scalar" ? String(one.value) : "";
      const other = holders.get(key);
      if (other !== undefined && other !== action)
        return phrase("config.shared_key", { where: at(line, `ui.keys.${action}`), key, other: `ui.keys.${other}` });
      holders.set(key, action);
    }
  }
  return null;
}
