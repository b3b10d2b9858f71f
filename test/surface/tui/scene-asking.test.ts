// What a person is asked besides leave: questions, plans, another model, and what has to be known at the first start.
import { expect, test } from "bun:test";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, sizes, usage } from "./scene.ts";

const done: Step = { text: "Done.", usage };
const questions = [
  {
    question: "Which database should the reports be kept in?",
    options: [
      "SQLite, in one file",
      "PostgreSQL",
      "Nothing: keep them in memory only, since they are made anew at each start anyway",
    ],
  },
  { question: "And what shall the table be called?" },
];

test.each(sizes)(
  "[SM-7] the model's questions are answered one after the other, at $columns by $rows",
  async ({ name, ...size }) => {
    const script: Step[] = [
      { text: "I have to know something.", calls: [{ tool: "question", input: { questions } }] },
      done,
    ];
    await using scene = await Scene.begin({ script, ...size });
    scene.say("store the reports");
    await scene.asked("A question for you");
    await scene.frame(`question${name}`);
    scene.person.press("down", "down", "enter");
    await scene.asked("2/2");
    scene.person.type("报告");
    await scene.sees("报告");
    await scene.frame(`question-own${name}`);
    scene.person.press("enter");
    await scene.rests("Done.");
    await scene.frame(`question-answered${name}`);
  },
);

test("[SM-7] a task of which nobody knows what it is about is asked back, without a model", async () => {
  await using scene = await Scene.begin({ script: [done] });
  scene.say("fix it");
  await scene.asked("A question for you");
  await scene.frame("clarify");
  expect(scene.cli.server.requests.length).toBe(0);
  scene.person.press("2");
  await scene.rests("Done.");
  await scene.frame("clarified");
});

const long =
  "Rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before and after it.";
const plan: Step = {
  text: "[PLAN]\n1. [ ] Delete the old reports (tools: bash)\n2. [ ] Read the input lazily, one line at a time and not the whole file at once (tools: edit)\n3. [ ] Measure (tools: bash)",
};

test.each(sizes)(
  "[SM-3] a plan that deletes is shown and waits for a yes, at $columns by $rows",
  async ({ name, ...size }) => {
    await using scene = await Scene.begin({ script: [plan, done], ...size });
    scene.say(long);
    await scene.asked("Carry out this plan?");
    await scene.frame(`plan-asked${name}`);
    scene.person.press("n");
    await scene.sees("What should be different?");
    scene.person.type("keep the old reports");
    await scene.sees("keep the old");
    await scene.frame(`plan-no${name}`);
  },
);

test("[SM-3] a plan that was agreed to is followed, and its steps are seen", async () => {
  const script: Step[] = [plan, { text: "Working.", stallAfter: 1 }];
  await using scene = await Scene.begin({ script });
  scene.say(long);
  await scene.asked("Carry out this plan?");
  scene.person.press("y");
  await scene.sees("Working.");
  await scene.frame("plan-followed");
});

test("[MD-4] another model is offered when one cannot be reached", async () => {
  const script: Step[] = [{ status: 503, body: '{"error":{"message":"down for maintenance"}}' }];
  const config = { model_attempts: 1, fallback_models: ["openai-chat/other"] };
  await using scene = await Scene.begin({ script, config });
  scene.say("what is in here?");
  await scene.asked("Switch to another model?");
  await scene.frame("fallback");
  scene.person.press("n");
  await scene.rests("FAILED");
  await scene.frame("fallback-no");
});

const nowhere = { base_url: "http://127.0.0.1:9/v1" };
const providers = { ollama: nowhere, lmstudio: nowhere, llamacpp: nowhere, vllm: nowhere };
const brought = { "AGENTS.md": "# Rules\n\nBe brief.\n", ".coder/config.json": '{ "max_steps": 5 }' };

const firsts = [
  ...sizes.map((size) => ({ ...size, lang: "en" as const })),
  { columns: 80, rows: 24, name: "-zh", lang: "zh" as const },
];
test.each(firsts)(
  "[PO-9] the first start asks for trust and a model, says three lines and is there: $columns by $rows, $lang",
  async ({ name, ...more }) => {
    await using scene = Scene.open({
      files: brought,
      config: { providers },
      isFirst: true,
      isModelless: true,
      ...more,
    });
    await scene.asked(/^┗/);
    await scene.frame(`first-trust${name}`);
    scene.person.press("2");
    await scene.asked("builtin");
    await scene.frame(`first-model${name}`);
    scene.person.press("3");
    await scene.ready();
    await scene.frame(`first-ready${name}`);
  },
);

test("[SU-3] who starts for the first time in a mode that does not ask is not told that it does", async () => {
  await using scene = await Scene.begin({ isFirst: true, mode: "auto-edit" });
  expect([scene.count("coder asks before it changes anything"), scene.count("changes files without asking")]).toEqual([
    ...[0, 1],
  ]);
});
