import { maxCalls } from "./calls.ts";

/**
 * What the SDK's stream reader relies on in a chunk, checked by hand. Its own schema does the same through zod, which took
 * 17 of 160 ms in a run of 50 steps; a chunk is checked six times a step.
 */
type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const isText = maybe((value) => typeof value === "string");
const isNumber = maybe((value) => typeof value === "number");
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

function shaped(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) => isObject(value) && checks.every(([name, check]) => check(value[name]));
}

const isCall = shaped({ index: isNumber, id: isText, function: shaped({ name: isText, arguments: isText }) });
const isContent = maybe(
  (value) => typeof value === "string" || listOf(shaped({ type: (type) => typeof type === "string" }))(value),
);
const isDelta = shaped({
  content: isContent,
  reasoning_content: isText,
  reasoning: isText,
  tool_calls: maybe((value) => listOf(isCall)(value) && (value as readonly unknown[]).length <= maxCalls),
});
const isChoice = shaped({ delta: maybe(isDelta), finish_reason: isText });
const isDetail = maybe((value) => isObject(value) && Object.values(value).every(isNumber));
const isUsage = shaped({
  prompt_tokens: isNumber,
  completion_tokens: isNumber,
  prompt_tokens_details: isDetail,
  completion_tokens_details: isDetail,
});
const isChunk = shaped({ created: isNumber, choices: listOf(isChoice), usage: maybe(isUsage) });

/** Several servers send `error: null` and a refusal that is no text; the reader would stumble over both. */
function tidied(chunk: Fields): Fields {
  const choices = chunk.choices as readonly { readonly delta?: Fields | null }[];
  const isOdd =
    "error" in chunk || choices.some((one) => one.delta?.refusal != null && typeof one.delta.refusal !== "string");
  if (!isOdd) return chunk;
  const { error: _, ...rest } = chunk;
  const kept = choices.map((one) =>
    one.delta
      ? { ...one, delta: { ...one.delta, refusal: isText(one.delta.refusal) ? one.delta.refusal : null } }
      : one,
  );
  return { ...rest, choices: kept };
}

/** In the form that the SDK takes for a schema: this symbol is how its packages recognise one another's. */
export const chatChunkSchema = {
  [Symbol.for("vercel.ai.schema")]: true,
  jsonSchema: {},
  validate: (value: unknown) => {
    if (isObject(value) && value.error !== undefined && value.error !== null) return { success: true, value } as const;
    if (isObject(value) && isChunk(value)) return { success: true, value: tidied(value) } as const;
    return { success: false, error: new Error("not a chunk of a chat completion") } as const;
  },
};
