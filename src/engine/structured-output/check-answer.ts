import { extractJson } from "./extract.ts";
import { schemaProblem } from "./schema.ts";
import { complaintsAbout } from "./validate.ts";

/** What keeps an answer from fitting its schema; nothing when it does. */
export function answerProblems(schema: unknown, answer: string): readonly string[] {
  const unusable = schemaProblem(schema);
  if (unusable !== null) return [`the schema cannot be used: ${unusable}`];
  const found = extractJson(answer);
  return "problem" in found ? [found.problem] : complaintsAbout(schema, found.value);
}
