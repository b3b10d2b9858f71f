import { extractJson } from "./extract.ts";

export async function answerProblems(schema: unknown, answer: string): Promise<readonly string[]> {
  const [{ readySchema }, { complaintsAbout }] = await Promise.all([import("./schema.ts"), import("./validate.ts")]);
  const ready = readySchema(schema);
  if ("problem" in ready) return [`the schema cannot be used: ${ready.problem}`];
  const found = extractJson(answer);
  return "problem" in found ? [found.problem] : complaintsAbout(ready, found.value);
}
