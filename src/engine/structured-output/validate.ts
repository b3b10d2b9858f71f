import { formats } from "./format.ts";
import { compilePattern, type Matcher } from "./pattern.ts";
import { isObject, resolveRef, type SchemaObject } from "./schema.ts";

const maxComplaints = 10;
/** Steps of work and levels of nesting after which an answer counts as not checkable: time and stack have an end. */
const maxWork = 1_000_000;
const maxDepth = 300;
/** Characters of a text that are one step of work. */
const charsAtOnce = 64;

class TooMuch extends Error {}

interface Check {
  readonly root: unknown;
  readonly matchers: Map<string, Matcher>;
  /** Lists of allowed values, made comparable once. */
  readonly allowed: Map<unknown, ReadonlySet<string>>;
  readonly spend: (work: number) => void;
}

/** What is wrong with a value, by place, at most ten of them. The schema has passed `schemaProblem`. */
export function complaintsAbout(root: unknown, value: unknown): readonly string[] {
  let work = 0;
  const spend = (more: number) => {
    work += more;
    if (work > maxWork) throw new TooMuch();
  };
  try {
    const check: Check = { root, matchers: new Map(), allowed: new Map(), spend };
    return complaints(check, root, value, "", 0).slice(0, maxComplaints);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return ["the whole: too large or too deeply nested to be checked"];
  }
}

function complaints(check: Check, schema: unknown, value: unknown, at: string, depth: number): readonly string[] {
  check.spend(1);
  if (depth > maxDepth) throw new TooMuch();
  if (schema === true) return [];
  if (!isObject(schema)) return [says(at, "nothing may stand here")];
  const inner = (one: unknown, inside: unknown, place: string) => complaints(check, one, inside, place, depth + 1);
  return [
    ...plain(check, schema, value, at),
    ...(typeof value === "string" ? ofText(check, schema, value, at) : []),
    ...(typeof value === "number" ? ofNumber(schema, value, at) : []),
    ...(Array.isArray(value) ? ofList(check, schema, value, at, inner) : []),
    ...(isObject(value) ? ofObject(check, schema, value, at, inner) : []),
    ...combined(check, schema, value, at, inner),
  ];
}

type Inner = (schema: unknown, value: unknown, at: string) => readonly string[];

function says(at: string, what: string): string {
  return `${at === "" ? "the whole" : at.slice(0, 200)}: ${what}`;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function plain(check: Check, schema: SchemaObject, value: unknown, at: string): readonly string[] {
  const list: string[] = [];
  const { type } = schema;
  if (type !== undefined) {
    const wanted = (Array.isArray(type) ? type : [type]) as readonly string[];
    const found = typeOf(value);
    check.spend(wanted.length);
    const fits = wanted.some((one) => one === found || (one === "integer" && Number.isInteger(value)));
    if (!fits) list.push(says(at, `must be ${wanted.join(" or ")}, not ${found}`));
  }
  if (schema.enum !== undefined) {
    const allowed = schema.enum as readonly unknown[];
    if (!allowedBy(check, allowed).has(canonical(check, value)))
      list.push(says(at, `must be one of ${shown(allowed)}`));
  }
  if ("const" in schema && canonical(check, schema.const) !== canonical(check, value))
    list.push(says(at, `must be ${shown(schema.const)}`));
  return list;
}

function allowedBy(check: Check, values: readonly unknown[]): ReadonlySet<string> {
  const known = check.allowed.get(values);
  if (known) return known;
  const fresh = new Set(values.map((one) => canonical(check, one)));
  check.allowed.set(values, fresh);
  return fresh;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Equal for equal JSON values, whatever the order of keys. */
function canonical(check: Check, value: unknown, depth = 0): string {
  check.spend(typeof value === "string" ? 1 + value.length / charsAtOnce : 1);
  if (depth > maxDepth) throw new TooMuch();
  const inner = (one: unknown): string => canonical(check, one, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${inner(value[key])}`).join(",")}}`;
}

function bounds(at: string, n: number, unit: string, least: unknown, most: unknown): readonly string[] {
  if (typeof least === "number" && n < least) return [says(at, `must have at least ${least} ${unit}, not ${n}`)];
  return typeof most === "number" && n > most ? [says(at, `must have at most ${most} ${unit}, not ${n}`)] : [];
}

function matcherFor(check: Check, pattern: string): Matcher {
  const known = check.matchers.get(pattern);
  if (known) return known;
  const compiled = compilePattern(pattern);
  const fresh: Matcher = "matches" in compiled ? compiled.matches : () => false;
  check.matchers.set(pattern, fresh);
  return fresh;
}

function ofText(check: Check, schema: SchemaObject, text: string, at: string): readonly string[] {
  const { minLength, maxLength, pattern, format } = schema;
  const list: string[] = [];
  check.spend(text.length / charsAtOnce);
  if (minLength !== undefined || maxLength !== undefined)
    list.push(...bounds(at, [...text].length, "characters", minLength, maxLength));
  if (typeof pattern === "string" && !matcherFor(check, pattern)(text, check.spend))
    list.push(says(at, `must match the pattern ${pattern}`));
  if (typeof format === "string" && formats[format]?.(text) === false) list.push(says(at, `must be a valid ${format}`));
  return list;
}

function ofNumber(schema: SchemaObject, n: number, at: string): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const list: string[] = [];
  if (typeof minimum === "number" && n < minimum) list.push(says(at, `must be at least ${minimum}`));
  if (typeof maximum === "number" && n > maximum) list.push(says(at, `must be at most ${maximum}`));
  if (typeof exclusiveMinimum === "number" && n <= exclusiveMinimum)
    list.push(says(at, `must be above ${exclusiveMinimum}`));
  if (typeof exclusiveMaximum === "number" && n >= exclusiveMaximum)
    list.push(says(at, `must be below ${exclusiveMaximum}`));
  if (typeof multipleOf === "number" && !isMultiple(n, multipleOf))
    list.push(says(at, `must be a multiple of ${multipleOf}`));
  return list;
}

/** In decimals, as they are written: 4.35 is a multiple of 0.01 although its binary form is not. */
function isMultiple(n: number, of: number): boolean {
  const [a, b] = [decimalOf(n), decimalOf(of)];
  const places = Math.max(a.places, b.places);
  return (a.digits * 10n ** BigInt(places - a.places)) % (b.digits * 10n ** BigInt(places - b.places)) === 0n;
}

function decimalOf(n: number): { readonly digits: bigint; readonly places: number } {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] =
    /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/.exec(String(n)) ?? [];
  const places = fraction.length - Number(exponent);
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

function ofList(
  check: Check,
  schema: SchemaObject,
  list: readonly unknown[],
  at: string,
  inner: Inner,
): readonly string[] {
  const { prefixItems, items, contains } = schema;
  const first = (prefixItems ?? []) as readonly unknown[];
  const found = [...bounds(at, list.length, "items", schema.minItems, schema.maxItems)];
  for (const [n, value] of list.entries()) {
    if (found.length >= maxComplaints) return found;
    const own = n < first.length ? first[n] : items;
    if (own !== undefined) found.push(...inner(own, value, `${at}/${n}`));
  }
  if (schema.uniqueItems === true) {
    const different = new Set(list.map((one) => canonical(check, one)));
    if (different.size < list.length) found.push(says(at, "must not hold the same item twice"));
  }
  if (contains === undefined) return found;
  const n = list.filter((value, place) => inner(contains, value, `${at}/${place}`).length === 0).length;
  return [
    ...found,
    ...bounds(at, n, "items of the kind that is asked for", schema.minContains ?? 1, schema.maxContains),
  ];
}

function ofObject(
  check: Check,
  schema: SchemaObject,
  object: SchemaObject,
  at: string,
  inner: Inner,
): readonly string[] {
  const names = Object.keys(object);
  const found = [...bounds(at, names.length, "properties", schema.minProperties, schema.maxProperties)];
  found.push(...missing(check, schema.required, object, at));
  for (const needed of dependent(check, schema.dependentRequired, object))
    found.push(...missing(check, needed, object, at));
  for (const needed of dependent(check, schema.dependentSchemas, object)) found.push(...inner(needed, object, at));
  for (const name of names) {
    if (found.length >= maxComplaints) return found;
    if (schema.propertyNames !== undefined && inner(schema.propertyNames, name, at).length > 0)
      found.push(says(at, `the name ${shown(name)} is not allowed`));
    for (const one of schemasFor(check, schema, name)) {
      if (one === false) found.push(says(at, `there must be no property ${shown(name)}`));
      else found.push(...inner(one, object[name], `${at}/${name}`));
    }
  }
  return found;
}

/** What is asked for because of a name that is there. */
function dependent(check: Check, byName: unknown, object: SchemaObject): readonly unknown[] {
  const entries = Object.entries((byName ?? {}) as SchemaObject);
  check.spend(entries.length);
  return entries.filter(([name]) => Object.hasOwn(object, name)).map(([, needed]) => needed);
}

function missing(check: Check, names: unknown, object: SchemaObject, at: string): readonly string[] {
  const needed = (names ?? []) as readonly string[];
  check.spend(needed.length);
  const lost = needed.filter((name) => !Object.hasOwn(object, name));
  return lost.map((name) => says(at, `the property ${shown(name)} is missing`));
}

function schemasFor(check: Check, schema: SchemaObject, name: string): readonly unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const matching = Object.entries((patternProperties ?? {}) as SchemaObject)
    .filter(([pattern]) => matcherFor(check, pattern)(name, check.spend))
    .map(([, one]) => one);
  const all = [...own, ...matching];
  return all.length === 0 && additionalProperties !== undefined ? [additionalProperties] : all;
}

function combined(check: Check, schema: SchemaObject, value: unknown, at: string, inner: Inner): readonly string[] {
  const { $ref, allOf, anyOf, oneOf, not } = schema;
  const found: string[] = [];
  if (typeof $ref === "string") found.push(...inner(resolveRef(check.root, $ref), value, at));
  for (const one of (allOf ?? []) as readonly unknown[]) found.push(...inner(one, value, at));
  if (Array.isArray(anyOf))
    found.push(
      ...anyFits(
        anyOf.map((one) => inner(one, value, at)),
        at,
      ),
    );
  if (Array.isArray(oneOf)) {
    const tried = oneOf.map((one) => inner(one, value, at));
    const n = tried.filter((one) => one.length === 0).length;
    found.push(...(n > 1 ? [says(at, `fits ${n} of the forms that exclude each other`)] : anyFits(tried, at)));
  }
  if (not !== undefined && inner(not, value, at).length === 0) found.push(says(at, "has a form that is forbidden"));
  if (schema.if === undefined) return found;
  const branch = inner(schema.if, value, at).length === 0 ? schema.then : schema.else;
  return branch === undefined ? found : [...found, ...inner(branch, value, at)];
}

/** Nothing when one of them had no complaint; else those of the one that came closest. */
function anyFits(tried: readonly (readonly string[])[], at: string): readonly string[] {
  const [closest = []] = tried.toSorted((one, other) => one.length - other.length);
  return closest.length === 0 ? [] : [says(at, "fits none of the allowed forms; the nearest one says:"), ...closest];
}
