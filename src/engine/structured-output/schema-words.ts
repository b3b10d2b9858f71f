// What the model is told about an answer that has to be JSON.

/** Stands with the task, behind everything that is the same for every task. */
export function schemaHint(schema: unknown): string {
  return [
    "The final answer of this task (the reply without tool calls) must be one JSON value and nothing else: no prose, no",
    "explanation. It is checked against this JSON Schema:",
    JSON.stringify(schema),
  ].join("\n");
}

export function repairInstruction(problems: readonly string[]): string {
  return [
    "The final answer does not fit the JSON Schema of this task:",
    ...problems.map((one) => `- ${one}`),
    "Answer once more with the corrected JSON value alone. Do not repeat work that is done.",
  ].join("\n");
}
