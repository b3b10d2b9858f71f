// A question beside the task: asked while it runs, answered in a panel, and no part of it.
import { expect, test } from "bun:test";
import { Scene, sizes, usage } from "./scene.ts";

const langs = [
  ...sizes.map((size) => ({ ...size, lang: "en" as const })),
  { columns: 80, rows: 24, name: "-zh", lang: "zh" as const },
];
const slow = { calls: [{ tool: "bash", input: { command: "sleep 300" } }] };
/** The first piece comes at once, the rest when the test is over. */
const held = { text: `A **monad** is\n\n${"much more ".repeat(20)}`, chunkChars: 30, chunkDelayMs: 100_000 };

test.each(langs)(
  "[SU-3] [CAN-1] it streams beside a task that runs; Esc stops it and not the task, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    const script = [
      { when: "monad", steps: [held] },
      { when: "wait a while", steps: [slow] },
    ];
    await using scene = await Scene.begin({ script, mode: "yolo", ...more });
    scene.say("wait a while");
    await scene.sees(/sleep 300/);
    scene.say("/btw what is a monad? 单子");
    await scene.sees("A monad is");
    await scene.frame(`aside${name}`);
    scene.person.press("escape");
    await scene.sees(/^▏ what is a monad/);
    await scene.sees(/^● yolo/);
    await scene.frame(`aside-stopped${name}`);
    expect(scene.count("Cancelled by ESC") + scene.count("ESC")).toBe(0);
    scene.person.press("escape");
    await scene.sees("Cancelled by ESC");
  },
);

test("[SU-3] its whole answer stands in the scrollback, once, and after a resume again", async () => {
  const script = [
    { when: "monad", steps: [{ text: "It is a **monoid**.", usage }] },
    { when: "hello", steps: [{ text: "Hello.", usage }] },
  ];
  await using scene = await Scene.begin({ script });
  scene.say("/btw what is a monad?");
  await scene.sees(/^▏ It is a monoid\./);
  scene.say("hello there");
  await scene.rests("Hello.");
  expect([scene.count("what is a monad?"), scene.count("It is a")]).toEqual([1, 1]);
  expect(JSON.stringify(scene.cli.server.requests.at(-1)?.body.messages)).not.toContain("monad");
  scene.person.press("ctrl+d");
  expect(await scene.person.exited).toBe(0);
  await using again = scene.again({ args: ["--continue"] });
  await again.waitFor("Hello.");
});

test("[PS-4] kill -9 while it streams leaves nothing of it, and the task's history as it was", async () => {
  const script = [
    { when: "monad", steps: [held] },
    { when: "hello", steps: [{ text: "Hello.", usage }] },
  ];
  await using scene = await Scene.begin({ script });
  scene.say("hello there");
  await scene.rests("Hello.");
  scene.say("/btw what is a monad?");
  await scene.sees("A monad is");
  process.kill(scene.person.pid, "SIGKILL");
  await scene.person.exited;
  await using again = scene.again({ args: ["--continue"] });
  await again.waitFor("Hello.");
  await again.waitFor(/^● default/);
  again.type("hello once more");
  again.press("enter");
  await again.waitFor(() => scene.cli.server.requests.length === 3);
  expect(JSON.stringify(scene.cli.server.requests.at(-1)?.body.messages)).not.toContain("monad");
});

test("[PO-6] a question of the task comes before it, and the answer goes on behind", async () => {
  const script = [
    { when: "monad", steps: [{ text: "word ".repeat(100), chunkChars: 10, chunkDelayMs: 30, usage }] },
    {
      when: "touch",
      steps: [
        { delayMs: 500, calls: [{ tool: "bash", input: { command: "touch made" } }] },
        { text: "Done.", usage },
      ],
    },
  ];
  await using scene = await Scene.begin({ script });
  scene.say("touch the file");
  scene.say("/btw what is a monad?");
  await scene.asked("Run this command?");
  scene.person.press("1");
  await scene.sees("Done.");
  await scene.sees(/^▏ word word/);
});
