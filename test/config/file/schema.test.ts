import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parseConfig } from "../../../src/config/file/file.ts";
import { configSchema } from "../../../src/config/file/schema.ts";
import { configRules, type Rule } from "../../../src/config/file/setting-schema.ts";
import { readySchema, schemaProblem } from "../../../src/engine/structured-output/schema.ts";
import { complaintsAbout } from "../../../src/engine/structured-output/validate.ts";

/** Why the check refuses a value; `null` = it does not. */
function refusal(value: unknown): string | null {
  const parsed = parseConfig(new TextEncoder().encode(JSON.stringify(value)), "f");
  return parsed.ok ? null : parsed.error.text.key;
}

const ready = readySchema(configSchema());
const validates = (value: unknown): boolean => !("problem" in ready) && complaintsAbout(ready, value).length === 0;

const texts: Readonly<Record<string, readonly string[]>> = {
  any: ["x", "a b", "中"],
  maybe: ["", "a b"],
  model: ["openai/gpt-5", "a/b/c", "o/m:8b"],
  provider: ["own", "a.b-c_d"],
  url: ["https://a.b/v1", "http://127.0.0.1:9/", "HTTPS://x"],
  secret: ["abc", "!~"],
  env_name: ["A_KEY", "_x1"],
  header_name: ["X-A", "a.b"],
  header: ["", "a b"],
  key: ["ctrl+g", "shift+tab", "f12", "alt+pageUp", "ctrl+]"],
  timezone: ["UTC", "Asia/Shanghai", "America/Argentina/Buenos_Aires"],
};

/** Values that fit a rule. */
function fitting(rule: Rule): fc.Arbitrary<unknown> {
  switch (rule.kind) {
    case "text":
      return fc.constantFrom(...(texts[rule.form] ?? []));
    case "flag":
      return fc.boolean();
    case "whole":
      return fc.integer({ min: Math.max(rule.min, -(2 ** 31)), max: Math.min(rule.max, 2 ** 31 - 1) });
    case "number":
      return fc.double({ min: rule.min, max: rule.max, noNaN: true });
    case "choice":
      return fc.constantFrom(...rule.of);
    case "list":
      return fc.array(fitting(rule.of), { maxLength: Math.min(rule.max, 3) });
    case "some":
      return fc.oneof(fitting(rule.of), fitting({ ...rule, kind: "list" }));
    case "map": {
      const names = typeof rule.keys === "string" ? (texts[rule.keys] ?? []) : rule.keys;
      return fc.dictionary(fc.constantFrom(...names), fitting(rule.of), { maxKeys: 2 });
    }
    case "section":
      return fc.record(Object.fromEntries(Object.entries(rule.keys).map(([key, inner]) => [key, fitting(inner)])), {
        requiredKeys: [...(rule.needs ?? [])],
      });
  }
}

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    0,
    0.5,
    1e12,
    "",
    " ",
    "x\n",
    "ftp://x",
    "http://u:p@h",
    "http://h?q",
    "a/ b",
    "é",
    "yolo",
  ),
  fc.constantFrom([], [1], ["bash"], {}, { a: 1 }, { lang: "en" }, { "": {} }, { "a b": {} }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A value with one place of it, or one more, replaced by something odd. */
function spoiled(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step = 0, ...rest] = path;
  if (typeof value !== "object" || value === null || path.length === 0) return other;
  const keys = [...Object.keys(value), "unknown_key"];
  const key = keys[step % keys.length] ?? "";
  const inner = (value as Record<string, unknown>)[key];
  if (Array.isArray(value)) return [...value, other];
  return { ...value, [key]: rest.length > 0 && inner !== undefined ? spoiled(inner, rest, other) : other };
}

describe("the schema of the config file", () => {
  // After a change of the rules: npm run reference
  test("[CF-1] the published one is the one that is made from the rules", () => {
    const published = readFileSync(join(import.meta.dir, "..", "..", "..", "docs", "config.schema.json"), "utf8");
    expect(published).toBe(`${JSON.stringify(configSchema(), null, 2)}\n`);
  });

  test("[CF-1] it is a schema that is understood to its last keyword", () => {
    expect(schemaProblem(configSchema())).toBeNull();
  });

  test("[CF-1] whatever the check accepts is valid", () => {
    fc.assert(
      fc.property(fitting(configRules), (value) => {
        const why = refusal(value);
        // No schema compares the values of two keys.
        expect([why === "config.shared_key" ? null : why, validates(value)]).toEqual([null, true]);
      }),
    );
  });

  test("[CF-1] whatever is spoiled in one place is refused by both or by neither, but for zones and addresses of no place, and keys given twice", () => {
    fc.assert(
      fc.property(
        fitting(configRules),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
        odd,
        (value, path, other) => {
          const broken = spoiled(value, path, other);
          const why = refusal(broken);
          // No pattern knows every time zone and every host, and none compares two places.
          const isBeyondPatterns = ["config.bad_timezone", "config.bad_url", "config.shared_key"].includes(why ?? "");
          const isValid = validates(broken);
          expect([JSON.stringify(broken), isValid && !isBeyondPatterns]).toEqual([
            JSON.stringify(broken),
            why === null,
          ]);
        },
      ),
      { numRuns: process.env.CODER_TEST_LONG ? 20_000 : 1_000 },
    );
  });
});
