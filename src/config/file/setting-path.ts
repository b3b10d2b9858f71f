import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { nameProblem } from "./forms.ts";
import { nearest } from "./nearest.ts";
import { configRules, type Rule } from "./setting-schema.ts";

/** A place in the config file, and the rule for its value. */
export interface KeyPlace {
  readonly path: readonly string[];
  readonly rule: Rule;
}

interface Missing {
  readonly where: string;
  readonly known: readonly string[];
  readonly near: string | null;
}

/** Accepts paths such as `models.openai/gpt-5.1.context_window`: dots separate names, but free names may contain dots. */
export function findKey(given: string): Result<KeyPlace> {
  const found = resolve(configRules, given.split("."), []);
  if ("rule" in found) return ok(found);
  const { where, known, near } = found;
  if (near !== null) return fail("E_CONFIG", phrase("config.unknown_key_near", { where, near }));
  return known.length > 0
    ? fail("E_CONFIG", phrase("config.unknown_key", { where, known: known.join(", ") }))
    : fail("E_CONFIG", phrase("config.no_such_key", { where }));
}

function resolve(rule: Rule, rest: readonly string[], path: readonly string[]): KeyPlace | Missing {
  const [head, ...tail] = rest;
  if (head === undefined) return { path, rule };
  if (rule.kind === "map") return resolveEntry(rule, rest, path);
  const keys: Readonly<Record<string, Rule>> = rule.kind === "section" ? rule.keys : {};
  const inner = Object.hasOwn(keys, head) ? keys[head] : undefined;
  if (inner) return resolve(inner, tail, [...path, head]);
  const known = Object.keys(keys);
  return { where: [...path, head].join("."), known, near: nearest(head, known) };
}

/** Takes the shortest name whose rest is a valid path. A misspelt key is likelier than an entry with such a name. */
function resolveEntry(
  rule: Extract<Rule, { readonly kind: "map" }>,
  rest: readonly string[],
  path: readonly string[],
): KeyPlace | Missing {
  let first: Missing | null = null;
  for (let n = 1; n <= rest.length; n++) {
    const name = rest.slice(0, n).join(".");
    if (nameProblem(rule.keys, name) !== null) continue;
    const found = resolve(rule.of, rest.slice(n), [...path, name]);
    if ("rule" in found) return first?.near && n === rest.length ? first : found;
    first ??= found;
  }
  const known = typeof rule.keys === "string" ? [] : rule.keys;
  return first ?? { where: [...path, ...rest].join("."), known, near: nearest(rest.join("."), known) };
}
