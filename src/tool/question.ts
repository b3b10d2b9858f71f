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
  input: args({
    questions: listOf(
      object({ question: text("", { min: 1 }), options: optional(listOf(text("", { min: 1 }), maxOptions)) }),
      maxQuestions,
    ),
  }),
  access: "session",
  afterCrash: "repeat",
  async run({ questions }, ctx) {
    if (questions.length === 0) {
      return fail("E_INVALID_ARGS", phrase("plan.question.count", { n: 0, max: maxQuestions }));
    }
    const asked = questions.map(({ question: words, options }) => ({ question: words.trim(), options: options ?? [] }));
    for (const [at, { question: words, options }] of asked.entries()) {
      const n = at + 1;
      if (words === "") return fail("E_INVALID_ARGS", phrase("plan.question.empty", { n }));
      if (words.length > longestQuestion) {
        return fail("E_INVALID_ARGS", phrase("plan.question.long", { n, max: longestQuestion }));
      }
      if (options.some((option) => option.length > longestOption)) {
        return fail("E_INVALID_ARGS", phrase("plan.question.option_long", { n, max: longestOption }));
      }
    }
    const data: { readonly questions: readonly Question[] } = { questions: asked };
    if (ctx.answer === undefined) return fail("E_INVALID_ARGS", phrase("run.nobody_answers"));
    return ok({ text: `The person answers: ${ctx.answer}`, data });
  },
});
