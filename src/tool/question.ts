import { fail, ok } from "../contract/error.ts";
import type { Question } from "../contract/task.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { defineTool } from "../contract/tool.ts";
import { args, listOf, object, optional, text } from "./args.ts";

const maxQuestions = 3;
const maxOptions = 6;
const longestQuestion = 1000;
const longestOption = 200;

export const question = defineTool({
  name: "question",
  description:
    "Ask the person 1 to 3 questions, only when you cannot go on without the answers. Options are suggestions; they may answer freely.",
  // Limits are checked before anybody is asked.
  input: args({
    questions: listOf(
      object({ question: nonBlank(longestQuestion), options: optional(listOf(nonBlank(longestOption), maxOptions)) }),
      maxQuestions,
      1,
    ),
  }),
  access: "session",
  afterCrash: "repeat",
  role: "asks",
  async run({ questions }, ctx) {
    const asked = questions.map(({ question: words, options }) => ({ question: words.trim(), options: options ?? [] }));
    const data: { readonly questions: readonly Question[] } = { questions: asked };
    if (ctx.answer === undefined) return fail("E_INVALID_ARGS", phrase("run.nobody_answers"));
    return ok({ text: `The person answers: ${ctx.answer}`, data });
  },
});

function nonBlank(max: number) {
  const field = text("", { min: 1, max });
  const problems: typeof field.problems = (value, path) =>
    typeof value === "string" && value.trim() === ""
      ? [{ path, message: "must not be empty" }]
      : field.problems(value, path);
  return { ...field, problems };
}
