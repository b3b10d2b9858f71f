// One description of the arguments gives both the JSON Schema for the model and the validation. A schema library here costs 4 ms of
// every start, more than all other start-up work of the tools.
import { isRecord } from "../contract/json.ts";
import type { InputIssue, InputParse, ToolInput } from "../contract/tool.ts";

interface Field<T> {
  readonly json: Readonly<Record<string, unknown>>;
  readonly isOptional?: boolean;
  /** Absent from the schema that the model sees, but accepted and validated when sent. */
  readonly isHidden?: boolean;
  readonly problems: (value: unknown, path: readonly PropertyKey[]) => readonly InputIssue[];
  /** A phantom field: carries the type `T`. */
  readonly sample?: T;
}

type Shape = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type OptionalKeys<S extends Shape> = {
  [K in keyof S]: S[K] extends { readonly isOptional: true } ? K : never;
}[keyof S];
type Values<S extends Shape> = { readonly [K in Exclude<keyof S, OptionalKeys<S>>]: ValueOf<S[K]> } & {
  readonly [K in OptionalKeys<S>]?: ValueOf<S[K]>;
};

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export function text(about: string, { min, max }: Bounds = {}): Field<string> {
  const limits = { ...(min === undefined ? {} : { minLength: min }), ...(max === undefined ? {} : { maxLength: max }) };
  return {
    json: { type: "string", ...limits, ...described(about) },
    problems: (value, path) => {
      if (typeof value !== "string") return expected("a string", value, path);
      if (value.length < (min ?? 0)) return [{ path, message: "must not be empty" }];
      return value.length > (max ?? value.length) ? [{ path, message: `is longer than ${max} characters` }] : [];
    },
  };
}

export function whole(about: string, { min, max }: Bounds): Field<number> {
  const limits = { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
  return {
    json: { type: "integer", ...limits, ...described(about) },
    problems: (value, path) => {
      if (typeof value !== "number" || !Number.isSafeInteger(value)) return expected("a whole number", value, path);
      if (value < (min ?? value)) return [{ path, message: `must be at least ${min}` }];
      return value > (max ?? value) ? [{ path, message: `must be at most ${max}` }] : [];
    },
  };
}

export function flag(about: string): Field<boolean> {
  return {
    json: { type: "boolean", ...described(about) },
    problems: (value, path) => (typeof value === "boolean" ? [] : expected("true or false", value, path)),
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Field<T> {
  return {
    json: { type: "string", enum: values },
    problems: (value, path) => (values.some((one) => one === value) ? [] : expected(values.join(" | "), value, path)),
  };
}

export function listOf<T>(item: Field<T>, max: number, min = 0): Field<readonly T[]> {
  return {
    json: { type: "array", items: item.json, maxItems: max, ...(min === 0 ? {} : { minItems: min }) },
    problems: (value, path) => {
      if (!Array.isArray(value)) return expected("a list", value, path);
      if (value.length < min) return [{ path, message: `at least ${min} items, got ${value.length}` }];
      if (value.length > max) return [{ path, message: `at most ${max} items, got ${value.length}` }];
      return value.flatMap((one, index) => item.problems(one, [...path, index]));
    },
  };
}

/** May be missing. `null` counts as missing: several models send it for "none". */
export function optional<T>(field: Field<T>): Field<T> & { readonly isOptional: true } {
  return { ...field, isOptional: true };
}

export function hidden<T>(field: Field<T>): Field<T> & { readonly isOptional: true } {
  return { ...field, isOptional: true, isHidden: true };
}

/** Exactly these keys: an unknown key is an error. */
export function object<S extends Shape>(shape: S): Field<Values<S>> {
  const fields = Object.entries(shape);
  const required = fields.filter(([, field]) => !field.isOptional).map(([name]) => name);
  const visible = fields.filter(([, field]) => !field.isHidden);
  const properties = Object.fromEntries(visible.map(([name, field]) => [name, field.json]));
  return {
    json: { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false },
    problems: (value, path) => {
      if (!isRecord(value)) return expected("an object", value, path);
      const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key));
      const extra = unknown.map((key) => ({ path, message: `unknown key "${key}"` }));
      return [...extra, ...fields.flatMap(([name, field]) => valueProblems(value[name], field, [...path, name]))];
    },
  };
}

export function args<S extends Shape>(shape: S): ToolInput<Values<S>> {
  const field = object(shape);
  return {
    toJSONSchema: () => field.json,
    safeParse: (raw): InputParse<Values<S>> => {
      const issues = field.problems(raw, []);
      if (issues.length > 0) return { success: false, error: { issues } };
      const present = Object.entries(raw as object).filter(([, value]) => value !== null && value !== undefined);
      return { success: true, data: Object.fromEntries(present) as Values<S> };
    },
  };
}

function valueProblems(value: unknown, field: Field<unknown>, path: readonly PropertyKey[]): readonly InputIssue[] {
  if (value !== undefined && !(value === null && field.isOptional)) return field.problems(value, path);
  return field.isOptional ? [] : [{ path, message: "is missing" }];
}

function expected(what: string, value: unknown, path: readonly PropertyKey[]): readonly InputIssue[] {
  const kind = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  return [{ path, message: `must be ${what}, got ${typeof value === "string" ? short(value) : kind}` }];
}

function short(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}

function described(about: string): { description?: string } {
  return about === "" ? {} : { description: about };
}
