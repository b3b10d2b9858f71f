import { defaults } from "../defaults.ts";
import { formPattern } from "./forms.ts";
import { settingAbout } from "./setting-about.ts";
import { configRules, type Rule } from "./setting-schema.ts";

type Schema = Readonly<Record<string, unknown>>;

/** CF-1: derived from the rules that validate the file. */
export function configSchema(): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "coder config.json",
    ...schemaOf(configRules, defaults, ""),
  };
}

/** `path`: where the value stands, with `*` for any name of a table. */
function schemaOf(rule: Rule, preset: unknown, path: string): Schema {
  const about = settingAbout[path];
  const standard = preset === undefined || rule.kind === "section" ? {} : { default: preset };
  return { ...(about === undefined ? {} : { description: about }), ...shapeOf(rule, preset, path), ...standard };
}

function shapeOf(rule: Rule, preset: unknown, path: string): Schema {
  switch (rule.kind) {
    case "text":
      return { type: "string", pattern: formPattern(rule.form) };
    case "flag":
      return { type: "boolean" };
    case "whole":
      return { type: "integer", minimum: rule.min, maximum: rule.max };
    case "number":
      return { type: "number", minimum: rule.min, maximum: rule.max };
    case "choice":
      return { enum: rule.of };
    case "list":
      return { type: "array", items: shapeOf(rule.of, undefined, path), maxItems: rule.max };
    case "some": {
      const list = { ...rule, kind: "list" } as const;
      return { anyOf: [shapeOf(rule.of, undefined, path), shapeOf(list, undefined, path)] };
    }
    case "map":
      return {
        type: "object",
        propertyNames: typeof rule.keys === "string" ? { pattern: formPattern(rule.keys) } : { enum: rule.keys },
        additionalProperties: schemaOf(rule.of, undefined, `${path}.*`),
      };
    case "section":
      return {
        type: "object",
        properties: propertiesOf(rule.keys, preset, path),
        ...(rule.needs ? { required: rule.needs } : {}),
        additionalProperties: false,
      };
  }
}

function propertiesOf(keys: Readonly<Record<string, Rule>>, preset: unknown, path: string): Schema {
  const presets = (preset ?? {}) as Readonly<Record<string, unknown>>;
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  return Object.fromEntries(Object.entries(keys).map(([key, rule]) => [key, schemaOf(rule, presets[key], at(key))]));
}
