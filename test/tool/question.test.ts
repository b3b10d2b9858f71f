import { afterAll, beforeAll, expect, test } from "bun:test";
import { question } from "../../src/tool/question.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const ask = async (...questions: readonly object[]): Promise<string> => told(await ws.run(question, { questions }));

test("[SM-7] the question tool gives back the questions with their options and what the person answers", async () => {
  const asked = [{ question: " Which database? ", options: ["SQLite", "PostgreSQL"] }, { question: "哪个端口？" }];
  expect(await ws.run(question, { questions: asked }, { answer: "SQLite, 80" })).toEqual({
    ok: true,
    value: {
      text: "The person answers: SQLite, 80",
      data: {
        questions: [
          { question: "Which database?", options: ["SQLite", "PostgreSQL"] },
          { question: "哪个端口？", options: [] },
        ],
      },
    },
  });
  expect(told(await ws.run(question, { questions: asked }))).toStartWith("E_INVALID_ARGS: ");
});

test("[SM-7] none, more than three, empty and oversized questions are refused before anybody is asked", async () => {
  const one = { question: "a?" };
  expect(question.input.safeParse({ questions: [] }).success).toBe(false);
  expect(await ask()).toEndWith("questions at least 1 items, got 0");
  expect(await ask(one, one, one, one)).toBe(
    "E_INVALID_ARGS: invalid arguments for question: questions at most 3 items, got 4",
  );
  expect(await ask({ question: "" })).toEndWith("questions.0.question must not be empty");
  expect(await ask({ question: " \n " })).toEndWith("questions.0.question must not be empty");
  expect(await ask(one, { question: "x".repeat(1001) })).toEndWith(
    "questions.1.question is longer than 1000 characters",
  );
  expect(await ask({ ...one, options: ["x".repeat(201)] })).toEndWith(
    "questions.0.options.0 is longer than 200 characters",
  );
  expect(await ask({ ...one, options: Array.from({ length: 7 }, () => "x") })).toEndWith("at most 6 items, got 7");
});
