// What checking an answer may cost. The code that ajv makes of a schema counts nothing, and forms that refer to each other can
// multiply without end: so each part of a schema gets a keyword of ours that counts.
import type { AnySchemaObject, KeywordDefinition } from "ajv";
import type { Pattern } from "./pattern.ts";

/** After so many steps an answer counts as not checkable. */
const maxSteps = 1_000_000;
/** Characters, items and comparisons that are one step. */
const atOnce = 64;
const keyword = "x-coder-cost";

export class TooMuch extends Error {}

export class Work {
  private done = 0;

  begin(): void {
    this.done = 0;
  }

  spend(steps: number): void {
    this.done += steps;
    if (this.done > maxSteps) throw new TooMuch();
  }
}

/** A copy in which every part counts. `$schema` is left out: whatever it names, the schema is read as draft 2020-12. */
export function withCosts(schema: object | boolean): object | boolean {
  const copy = counted(schema) as object | boolean;
  if (typeof copy === "object" && "$schema" in copy) delete copy.$schema;
  return copy;
}

/** Whatever a reference may lead to counts; where a value is compared, a property that is not enumerated is not seen. */
function counted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(counted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  // Checks would be promises, and a promise is not false.
  if (entries.some(([key, one]) => key === "$async" && one === true)) throw new Error('unknown keyword: "$async"');
  const weight = entries.reduce((sum, [, one]) => sum + sizeOf(one), 1);
  const copy = Object.fromEntries(entries.map(([key, one]) => [key, counted(one)]));
  return Object.defineProperty(copy, keyword, { value: weight, enumerable: false });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

export function costKeyword(work: Work, patterns: ReadonlyMap<string, Pattern>): KeywordDefinition {
  return {
    keyword,
    schemaType: "number",
    errors: false,
    compile: (weight: number, schema: AnySchemaObject) => {
      const sources = [schema.pattern, ...Object.keys(schema.patternProperties ?? {})].filter(isText);
      let places: number | null = null;
      return (data: unknown) => {
        // Not before the first answer: the patterns beside this keyword may be compiled after it.
        places ??= sources.reduce((sum, source) => sum + (patterns.get(source)?.size ?? 1), 0);
        work.spend(weight + (lengthOf(data) * (weight + places)) / atOnce);
        if (schema.uniqueItems === true && Array.isArray(data)) work.spend((data.length * data.length) / atOnce);
        return true;
      };
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function lengthOf(data: unknown): number {
  if (typeof data === "string" || Array.isArray(data)) return data.length;
  return isObject(data) ? Object.keys(data).reduce((sum, key) => sum + 1 + key.length, 0) : 0;
}
