
/** Follows the task text, after the prefix that is the same for every task. */
export function schemaHint(schema: unknown): string {
  return [
    "The final answer of this task (the reply without tool calls) must be one JSON value and nothing else: no prose, no",
    "explanation. It is checked against this JSON Schema:",
    JSON.stringify(schema),
  ].join("\n");
}
