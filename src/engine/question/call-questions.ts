import type { Call } from "../../contract/message.ts";
import type { Question } from "../../contract/task.ts";
import { field } from "../call/result.ts";

/** What the `question` tool asks. */
export function questionsIn(call: Call): readonly Question[] {
  const list = field(call.input, "questions");
  if (!Array.isArray(list)) return [];
  return list.map((one: unknown) => {
    const options = field(one, "options");
    return { question: String(field(one, "question")), options: Array.isArray(options) ? options.map(String) : [] };
  });
}

export function questionsOf(call: Call): readonly string[] {
  return questionsIn(call).map(({ question }) => String(question));
}
