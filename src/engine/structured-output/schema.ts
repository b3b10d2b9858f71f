// Which JSON Schemas can be held to exactly. Whatever is not in this table is refused at the start: a keyword that is
// silently ignored would let through what its author meant to forbid.
import { formats } from "./format.ts";
import { compilePattern } from "./pattern.ts";

type Shape = "schema" | "schemas" | "named" | "patterns" | "names" | "name lists" | "type" | "values" | "any";
type Kind = Shape | "count" | "number" | "boolean" | "pattern" | "format" | "ref" | "text" | "above zero";

const byKind: Readonly<Record<Kind, string>> = {
  schema: "not if then else additionalProperties propertyNames items contains",
  schemas: "allOf anyOf oneOf prefixItems",
  named: "$defs definitions properties dependentSchemas",
  patterns: "patternProperties",
  names: "required",
  "name lists": "dependentRequired",
  type: "type",
  values: "enum",
  count: "minProperties maxProperties minContains maxContains minItems maxItems minLength maxLength",
  number: "minimum maximum exclusiveMinimum exclusiveMaximum",
  "above zero": "multipleOf",
  boolean: "uniqueItems",
  pattern: "pattern",
  format: "format",
  ref: "$ref",
  text: "$schema $id $comment title description",
  any: "const default examples deprecated readOnly writeOnly",
};

const keywords: ReadonlyMap<string, Kind> = new Map(
  Object.entries(byKind).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as Kind])),
);

const types: readonly string[] = ["null", "boolean", "object", "array", "number", "integer", "string"];
export type SchemaObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Why a schema cannot be used, and where in it; `null` = it can. */
export function schemaProblem(schema: unknown): string | null {
  const seen = new Set<unknown>();
  const refs: { readonly at: string; readonly ref: string }[] = [];
  const problem = walk(schema, "#", seen, (at, ref) => refs.push({ at, ref }));
  if (problem !== null) return problem;
  const lost = refs.find(({ ref }) => {
    const target = resolveRef(schema, ref);
    return typeof target !== "boolean" && !seen.has(target);
  });
  return lost ? `${lost.at}/$ref: ${JSON.stringify(lost.ref)} is not a place of this schema` : null;
}

type OnRef = (at: string, ref: string) => void;
const maxDepth = 100;

function walk(schema: unknown, at: string, seen: Set<unknown>, onRef: OnRef): string | null {
  if (typeof schema === "boolean") return null;
  if (!isObject(schema)) return `${at}: a schema is an object, true or false`;
  if (at.split("/").length > maxDepth) return `${at.slice(0, 60)}…: nested too deeply`;
  seen.add(schema);
  for (const [key, value] of Object.entries(schema)) {
    const kind = keywords.get(key);
    if (kind === undefined) return `${at}: the keyword ${JSON.stringify(key)} is not supported`;
    const inner = `${at}/${key}`;
    if (key === "$id" && at !== "#") return `${inner}: is supported at the top only`;
    const problem = innerProblem(kind, value, inner, seen, onRef) ?? valueProblem(kind, value, inner);
    if (problem !== null) return problem;
    if (kind === "ref") onRef(at, value as string);
  }
  return null;
}

/** Keywords that hold schemas. */
function innerProblem(kind: Kind, value: unknown, at: string, seen: Set<unknown>, onRef: OnRef): string | null {
  if (kind === "schema") return walk(value, at, seen, onRef);
  if (kind === "schemas") {
    if (!Array.isArray(value) || value.length === 0) return `${at}: must be a list of schemas`;
    return firstOf(value.entries(), ([n, one]) => walk(one, `${at}/${n}`, seen, onRef));
  }
  if (kind !== "named" && kind !== "patterns") return null;
  if (!isObject(value)) return `${at}: must be an object of schemas`;
  return firstOf(Object.entries(value), ([name, one]) => {
    const problem = kind === "patterns" ? patternProblem(name, at) : null;
    return problem ?? walk(one, `${at}/${name}`, seen, onRef);
  });
}

function firstOf<T>(items: Iterable<T>, problemOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}

const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isNames = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string");
const isType = (value: unknown) => typeof value === "string" && types.includes(value);

const shapes: Readonly<Partial<Record<Kind, readonly [fits: (value: unknown) => boolean, says: string]>>> = {
  count: [isCount, "must be a whole number from 0"],
  number: [(value) => typeof value === "number", "must be a number"],
  "above zero": [(value) => typeof value === "number" && value > 0, "must be a number above 0"],
  boolean: [(value) => typeof value === "boolean", "must be true or false"],
  text: [(value) => typeof value === "string", "must be a text"],
  values: [(value) => Array.isArray(value) && value.length > 0, "must be a list of values"],
  names: [isNames, "must be a list of names"],
  "name lists": [
    (value) => isObject(value) && Object.values(value).every(isNames),
    "must be an object of lists of names",
  ],
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `must be one or several of ${types.join(", ")}`,
  ],
  format: [
    (value) => typeof value === "string" && Object.hasOwn(formats, value),
    `is checked only for ${Object.keys(formats).join(", ")}`,
  ],
  ref: [
    (value) => typeof value === "string" && /^#(?:\/|$)/.test(value),
    "only places of this schema can be named: #/…",
  ],
};

function valueProblem(kind: Kind, value: unknown, at: string): string | null {
  if (kind === "pattern") return typeof value === "string" ? patternProblem(value, at) : `${at}: must be a text`;
  const shape = shapes[kind];
  return shape && !shape[0](value) ? `${at}: ${shape[1]}` : null;
}

function patternProblem(pattern: string, at: string): string | null {
  const compiled = compilePattern(pattern);
  return "problem" in compiled ? `${at}: ${compiled.problem}` : null;
}

/** The place a reference names; `undefined` when there is none. */
export function resolveRef(root: unknown, ref: string): unknown {
  const parts = ref.slice(1).split("/").slice(1);
  return parts.reduce<unknown>((at, part) => {
    const name = decodePart(part);
    return typeof at === "object" && at !== null && Object.hasOwn(at, name)
      ? (at as Record<string, unknown>)[name]
      : undefined;
  }, root);
}

function decodePart(part: string): string {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch (error) {
    if (error instanceof URIError) return plain;
    throw error;
  }
}
