import { defaults } from "../defaults.ts";
import { formPattern } from "./forms.ts";
import { configRules, type Rule } from "./setting-schema.ts";

type Schema = Readonly<Record<string, unknown>>;

/** CF-1: derived from the rules that validate the file. */
export function configSchema(): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "coder config.json",
    ...schemaOf(configRules, defaults),
  };
}

function schemaOf(rule: Rule, preset: unknown): Schema {
  const standard = preset === undefined || rule.kind === "section" ? {} : { default: preset };
  switch (rule.kind) {
    case "text":
      return { type: "string", pattern: formPattern(rule.form), ...standard };
    case "flag":
      return { type: "boolean", ...standard };
    case "whole":
      return { type: "integer", minimum: rule.min, maximum: rule.max, ...standard };
    case "number":
      return { type: "number", minimum: rule.min, maximum: rule.max, ...standard };
    case "choice":
      return { enum: rule.of, ...standard };
    case "list":
      return { type: "array", items: schemaOf(rule.of, undefined), maxItems: rule.max, ...standard };
    case "some":
      return {
        anyOf: [schemaOf(rule.of, undefined), schemaOf({ ...rule, kind: "list" }, undefined)],
        ...standard,
      };
    case "map":
      return {
        type: "object",
        propertyNames: typeof rule.keys === "string" ? { pattern: formPattern(rule.keys) } : { enum: rule.keys },
        additionalProperties: schemaOf(rule.of, undefined),
      };
    case "section":
      return {
        type: "object",
        properties: propertiesOf(rule.keys, preset),
        ...(rule.needs ? { required: rule.needs } : {}),
        additionalProperties: false,
      };
  }
}

function propertiesOf(keys: Readonly<Record<string, Rule>>, preset: unknown): Schema {
  const presets = (preset ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(keys).map(([key, rule]) => [key, schemaOf(rule, presets[key])]));
}
