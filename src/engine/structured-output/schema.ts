// Prepares a JSON Schema (draft 2020-12). Loaded only for a task that has one.
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { compilePattern, type Pattern } from "./pattern.ts";
import { costKeyword, Work, withCosts } from "./work.ts";

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** The supported formats; a schema with any other format is refused. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  "date-time": (text) => /[tT]/.test(text[10] ?? "") && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)),
  email: (text) =>
    /^[^\s@"(),:;<>[\\\]]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text) && !/\.\.|\.@|^\./.test(text),
  uri: (text) => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s"<>\\^`{|}]*$/.test(text) && URL.canParse(text),
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
};

function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = DATE.exec(text) ?? [];
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return month >= "01" && month <= "12" && day >= "01" && Number(day) <= last;
}

export interface ReadySchema {
  /** Throws `TooMuch` or RangeError if the answer is too expensive to check or nested too deeply. */
  readonly errorsOf: (value: unknown) => readonly ErrorObject[];
}

/** Decimal places of tolerance for multiples, since binary fractions are inexact. */
const multipleOfPrecision = 8;
const patterns = new Map<string, Pattern>();
const work = new Work();
const ajv = new Ajv2020({
  allErrors: true,
  code: { regExp: Object.assign(patternFor, { code: "" }) },
  formats,
  logger: false,
  multipleOfPrecision,
  ownProperties: true,
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  verbose: true,
});
// ajv supports `$anchor`, but its strict mode does not know it.
ajv.addKeyword("$anchor");
ajv.addKeyword(costKeyword(work, patterns));

/** Refuses unknown keywords, formats and references: ignoring them would accept what the author forbids. */
export function readySchema(schema: unknown): ReadySchema | { readonly problem: string } {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null || Array.isArray(schema)))
    return { problem: "a schema is an object, true or false" };
  try {
    const check = compiled(withCosts(schema));
    return {
      errorsOf: (value) => {
        work.begin();
        return check(value) ? [] : (check.errors ?? []);
      },
    };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "the schema is nested too deeply" };
    if (!(error instanceof Error)) throw error;
    return { problem: error.message };
  }
}

export function schemaProblem(schema: unknown): string | null {
  const ready = readySchema(schema);
  return "problem" in ready ? ready.problem : null;
}

function compiled(schema: object | boolean): ValidateFunction {
  // Two schemas may have the same id; only one is in use.
  ajv.removeSchema();
  patterns.clear();
  if (ajv.validateSchema(schema) !== true) {
    const [{ instancePath, message } = { instancePath: "", message: "is no schema" }] = ajv.errors ?? [];
    throw new Error(`#${instancePath}: ${message}`);
  }
  return ajv.compile(schema);
}

function patternFor(source: string): Pattern {
  const known = patterns.get(source) ?? compilePattern(source);
  if ("problem" in known)
    throw new SyntaxError(`the pattern ${JSON.stringify(source)} cannot be used: ${known.problem}`);
  patterns.set(source, known);
  return known;
}
