import { type Phrase, phrase, type TextKey } from "../../contract/text/catalogue.ts";
import { formProblem, nameProblem } from "./forms.ts";
import type { Json, JsonEntry } from "./jsonc.ts";
import { nearest } from "./nearest.ts";
import type { Rule } from "./setting-schema.ts";

export type Checked = { readonly value: unknown } | { readonly problem: Phrase };
type RuleOf<K extends Rule["kind"]> = Extract<Rule, { readonly kind: K }>;

/** The validated value, or a problem. `at` formats a place as `file:line: key`. */
export function check(
  json: Json,
  rule: Rule,
  at: (line: number, path: string) => string,
  path = "",
  line = 1,
): Checked {
  const where = at(line, path);
  switch (rule.kind) {
    case "section":
    case "map": {
      if (json.kind !== "object") return bad("config.bad_section", { where });
      const lacking = rule.kind === "section" ? lackingKey(json.entries, rule) : undefined;
      if (lacking !== undefined) return bad("config.lacking_key", { where, key: lacking });
      return checkEntries(json.entries, (entry) => {
        const inner = path === "" ? entry.key : `${path}.${entry.key}`;
        const found = ruleFor(entry.key, rule, at(entry.line, inner));
        return "problem" in found ? found : check(entry.value, found.rule, at, inner, entry.line);
      });
    }
    case "list": {
      if (json.kind !== "array") return bad("config.bad_list", { where });
      if (json.items.length > rule.max) return bad("config.long_list", { where, max: rule.max });
      const items = json.items.map((item, i) => check(item.value, rule.of, at, `${path}[${i}]`, item.line));
      return (
        items.find((item) => "problem" in item) ?? { value: items.map((item) => ("value" in item ? item.value : null)) }
      );
    }
    case "some":
      return check(json, json.kind === "array" ? { ...rule, kind: "list" } : rule.of, at, path, line);
    default:
      return json.kind === "scalar"
        ? checkScalar(json.value, rule, where)
        : bad(expectedText[rule.kind], argsOf(rule, where));
  }
}

function lackingKey(entries: readonly JsonEntry[], { needs = [] }: RuleOf<"section">): string | undefined {
  return needs.find((key) => !entries.some((entry) => entry.key === key));
}

function checkEntries(entries: readonly JsonEntry[], checkOne: (entry: JsonEntry) => Checked): Checked {
  const values: [string, unknown][] = [];
  for (const entry of entries) {
    const checked = checkOne(entry);
    if ("problem" in checked) return checked;
    values.push([entry.key, checked.value]);
  }
  return { value: Object.fromEntries(values) };
}

function ruleFor(key: string, rule: RuleOf<"section" | "map">, where: string): { rule: Rule } | { problem: Phrase } {
  if (rule.kind === "map") {
    const problem = nameProblem(rule.keys, key);
    if (problem === null) return { rule: rule.of };
    return typeof rule.keys === "string" ? bad(problem, { where }) : unknownKey(key, rule.keys, where);
  }
  const found = Object.hasOwn(rule.keys, key) ? rule.keys[key] : undefined;
  return found ? { rule: found } : unknownKey(key, Object.keys(rule.keys), where);
}

function unknownKey(key: string, known: readonly string[], where: string): { problem: Phrase } {
  const near = nearest(key, known);
  return near === null
    ? bad("config.unknown_key", { where, known: known.join(", ") })
    : bad("config.unknown_key_near", { where, near });
}

/** Validates a flag or a variable, where numbers arrive as text. */
export function checkText(raw: string, rule: Rule, where: string): Checked {
  if (rule.kind === "flag" && (raw === "true" || raw === "false")) return { value: raw === "true" };
  const isNumeric = rule.kind === "whole" || rule.kind === "number";
  return checkScalar(isNumeric && /^[0-9]+(?:\.[0-9]+)?$/.test(raw) ? Number(raw) : raw, rule, where);
}

function checkScalar(value: string | number | boolean | null, rule: Rule, where: string): Checked {
  if (rule.kind === "text" && typeof value === "string") {
    const problem = formProblem(rule.form, value);
    return problem === null ? { value } : bad(problem, { where });
  }
  if (rule.kind === "flag" && typeof value === "boolean") return { value };
  if (rule.kind === "choice" && typeof value === "string") {
    if (rule.of.includes(value)) return { value };
    // A slip must not lead to a mode that asks nothing.
    const near = nearest(
      value,
      rule.of.filter((one) => one !== "yolo"),
    );
    if (near !== null) return bad("config.bad_choice_near", { where, near, choices: rule.of.join(", ") });
  }
  if ((rule.kind === "whole" || rule.kind === "number") && typeof value === "number") {
    const isFine = value >= rule.min && value <= rule.max && (rule.kind === "number" || Number.isInteger(value));
    if (isFine) return { value };
  }
  return bad(expectedText[rule.kind], argsOf(rule, where));
}

const expectedText: Readonly<Record<Rule["kind"], TextKey>> = {
  text: "config.bad_text",
  flag: "config.bad_flag",
  whole: "config.bad_whole",
  number: "config.bad_number",
  choice: "config.bad_choice",
  list: "config.bad_list",
  some: "config.bad_list",
  map: "config.bad_section",
  section: "config.bad_section",
};

function argsOf(rule: Rule, where: string): Readonly<Record<string, string | number>> {
  if (rule.kind === "whole" || rule.kind === "number") return { where, min: rule.min, max: rule.max };
  return rule.kind === "choice" ? { where, choices: rule.of.join(", ") } : { where };
}

function bad(key: TextKey, args: Readonly<Record<string, string | number>>): { problem: Phrase } {
  return { problem: phrase(key, args) };
}
