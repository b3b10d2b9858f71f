import type { ErrorObject } from "ajv";
import type { ReadySchema } from "./schema.ts";
import { TooMuch } from "./work.ts";

const maxComplaints = 10;

export function complaintsAbout(schema: ReadySchema, value: unknown): readonly string[] {
  try {
    const errors = schema.errorsOf(value).filter(({ keyword }) => keyword !== "if" && keyword !== "propertyNames");
    return [...new Set(errors.slice(0, 1_000).map(complaintOf))].slice(0, maxComplaints);
  } catch (error) {
    // TypeError: ajv cannot compare objects with keys such as "valueOf" or "toString".
    if (!(error instanceof TooMuch || error instanceof RangeError || error instanceof TypeError)) throw error;
    return ["the whole: too large or too deeply nested to be checked"];
  }
}

function complaintOf({ instancePath, keyword, params, propertyName, message, data }: ErrorObject): string {
  const at = instancePath === "" ? "the whole" : instancePath.slice(0, 200);
  const name = propertyName === undefined ? "" : `the name ${shown(propertyName)} is not allowed: `;
  return `${at}: ${name}${wordsOf(keyword, params, data) ?? message ?? keyword}`;
}

/** Replaces messages of ajv that omit the name or the actual value. */
function wordsOf(keyword: string, params: ErrorObject["params"], data: unknown): string | null {
  switch (keyword) {
    case "false schema":
      return "nothing may stand here";
    case "not":
      return "has a form that is forbidden";
    case "anyOf":
      return "fits none of the allowed forms";
    case "pattern":
      return `must match the pattern ${params.pattern}`;
    case "format":
      return `must be a valid ${params.format}`;
    case "type":
      return `must be ${[params.type].flat().join(" or ")}, not ${typeOf(data)}`;
    case "enum":
      return `must be one of ${shown(params.allowedValues)}`;
    case "const":
      return `must be ${shown(params.allowedValue)}`;
    case "required":
      return `the property ${shown(params.missingProperty)} is missing`;
    case "additionalProperties":
      return `there must be no property ${shown(params.additionalProperty)}`;
    case "unevaluatedProperties":
      return `there must be no property ${shown(params.unevaluatedProperty)}`;
    default:
      return null;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
