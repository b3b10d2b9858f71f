// Esc stops whatever goes on, from every state, and says so in the same words; nothing that was typed is lost.
import { expect, test } from "bun:test";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, usage } from "./scene.ts";

const lines = [
  "Cancelled by ESC",
  "Stopped model stream and tool execution; todo state remains unchanged unless a tool had already completed.",
];

/** Both lines, each once and as they are, with nothing between them. */
function isTold(scene: Scene): boolean {
  const all = scene.person.scrollback();
  const at = all.indexOf(lines[0] ?? "");
  return at !== -1 && all[at + 1] === lines[1] && all.indexOf(lines[0] ?? "", at + 1) === -1;
}

async function cancelled(scene: Scene): Promise<void> {
  scene.person.press("escape");
  await scene.rests(() => isTold(scene));
}

const ask = (tool: string, input: unknown): Step => ({ calls: [{ tool, input }] });
const complex =
  "Rework the whole report module so that it reads its input lazily, keeps its format and says what was slow before.";
const states: readonly {
  readonly name: string;
  readonly said?: string;
  readonly step: Step;
  readonly seen: string | RegExp;
  readonly mode?: "yolo" | "default";
}[] = [
  { name: "the model is waited for", step: { text: "x", delayMs: 30_000 }, seen: "Waiting for the model" },
  { name: "the model thinks", step: { thinking: "Let me see", stallAfter: 1 }, seen: "Let me see" },
  { name: "the model writes", step: { text: "Half of it", stallAfter: 1 }, seen: "Half of it" },
  {
    name: "a call is written",
    step: { ...ask("write", { path: "a", content: "y".repeat(3000) }), chunkChars: 200, stallAfter: 9 },
    seen: "writing, ",
  },
  { name: "a command runs", step: ask("bash", { command: "echo begun; sleep 60" }), seen: "  begun", mode: "yolo" },
  { name: "leave is asked for", step: ask("bash", { command: "rm -rf build" }), seen: "Run this command?" },
  {
    name: "a question is asked",
    step: ask("question", { questions: [{ question: "Which?", options: ["a", "b"] }] }),
    seen: "A question for you",
  },
  {
    name: "a plan is asked about",
    said: complex,
    step: { text: "[PLAN]\n1. [ ] Delete the old reports (tools: bash)\n2. [ ] Measure (tools: bash)" },
    seen: "Carry out this plan?",
  },
  {
    name: "a failed call is to be made again",
    step: { status: 503, headers: { "retry-after": "50" }, body: "{}" },
    seen: "retrying in",
  },
  { name: "it is asked what is meant", said: "fix it", step: {}, seen: "A question for you" },
];

test.each(states)(
  "[CAN-1] [CAN-3] Esc cancels while $name",
  async ({ said = "begin", step, seen, mode = "default" }) => {
    await using scene = await Scene.begin({ script: [step], mode });
    scene.say(said);
    await scene.sees(seen);
    await cancelled(scene);
    expect(scene.typed()).toBe("");
  },
);

test("[CAN-1] Esc cancels a sub-agent too", async () => {
  const script = [
    { when: "begin", steps: [ask("task", { kind: "explore", title: "look", prompt: "look around" })] },
    { when: "look around", steps: [ask("grep", { pattern: "x" }), { text: "Half", delayMs: 30_000 }] },
  ];
  await using scene = await Scene.begin({ script });
  scene.say("begin");
  await scene.sees('✓ Search "x"');
  await cancelled(scene);
  await scene.frame("cancelled-sub");
});

test("[CAN-1] Esc cancels what was typed with !, and what it has started", async () => {
  await using scene = await Scene.begin({ mode: "yolo" });
  scene.say("!echo pid $$; sleep 60");
  await scene.sees(/^ {2}pid \d+/);
  await cancelled(scene);
  await scene.frame("cancelled-shell", { replace: [[/pid \d+/g, "pid 1"]] });
});

test("[IN-5] what was sent and not delivered comes back to the prompt, before what is typed there", async () => {
  await using scene = await Scene.begin({ script: [ask("bash", { command: "sleep 60" })], mode: "yolo" });
  scene.say("begin");
  await scene.sees(/^• Run sleep 60/);
  for (const [text, key] of [
    ["steered", "enter"],
    ["queued\nin two lines", "alt+enter"],
  ] as const) {
    scene.person.type(text);
    scene.person.press(key);
    await scene.sees(`: ${text.split("\n")[0]}`);
  }
  scene.person.type("being typed");
  await scene.sees("> being typed");
  await cancelled(scene);
  await scene.frame("cancelled-queue");
  scene.person.press("ctrl+c");
  await scene.sees("> Ask anything");
});

test("[CAN-1] Esc Esc brings a message back to be changed", async () => {
  await using scene = await Scene.begin({ script: [{ text: "Yes.", usage }] });
  scene.person.press("escape");
  scene.person.press("escape");
  await scene.sees("Nothing sent yet");
  scene.say("say yes");
  await scene.rests("Yes.");
  scene.person.press("escape");
  scene.person.press("escape");
  await scene.sees("Rewind to before");
  scene.person.press("enter");
  await scene.sees("Messages and files");
  scene.person.press("enter");
  await scene.sees(() => scene.typed() === "say yes");
  await scene.frame("edit-last");
});

test("[CAN-1] Esc Esc while a task runs stops it and brings its message back", async () => {
  await using scene = await Scene.begin({ script: [{ text: "Half of it", stallAfter: 1 }] });
  scene.say("say it all");
  await scene.sees("Half of it");
  scene.person.press("escape");
  scene.person.press("escape");
  await scene.rests(() => isTold(scene));
  await scene.sees(() => scene.typed() === "say it all");
});

test("[CAN-1] Ctrl+C cancels, clears what is typed, and leaves only when it is pressed twice in a row", async () => {
  await using scene = await Scene.begin({ script: [{ text: "Half of it", stallAfter: 1 }] });
  scene.person.type("text");
  scene.person.press("ctrl+c");
  await scene.sees("Press Ctrl+C again to leave");
  scene.person.type("other");
  await scene.sees(() => scene.typed() === "other" && !scene.person.screen().includes("again to leave"));
  scene.person.press("ctrl+c");
  await scene.sees("> Ask anything");
  scene.say("begin");
  await scene.sees("Half of it");
  scene.person.press("ctrl+c");
  await scene.rests(() => isTold(scene));
  scene.person.press("ctrl+c");
  expect(await scene.person.exited).toBe(0);
  expect(scene.person.scrollback().at(-1)).toMatch(/^Resume with: coder --resume /);
});

test("[CAN-1] [CAN-3] Esc cancels while the conversation is made shorter, by a command and in the middle of a task", async () => {
  const script = [
    { when: "[the conversation", steps: [{ text: "summary", delayMs: 30_000 }] },
    { when: "say one", steps: [{ text: "word ".repeat(4_000), usage }] },
    { when: "say two", steps: [{ text: "word ".repeat(4_000), usage: { input: 15_000, output: 56 } }] },
    { when: "more", steps: [{ text: "More.", usage }] },
  ];
  const models = { "openai-chat/mock": { context_window: 16_000 } };
  await using scene = await Scene.begin({ script, config: { compaction: { keep_recent: 1 }, models } });
  scene.say("say one");
  await scene.rests("1.2k tokens in");
  scene.say("say two");
  await scene.rests("15k tokens in");
  scene.say("/compact");
  await scene.sees("Running /compact");
  await cancelled(scene);
  scene.say("more");
  await scene.sees(() => scene.cli.server.requests.length === 4);
  expect(String(scene.cli.server.requests[3]?.body.messages.at(-1)?.content)).toStartWith("[the conversation");
  await scene.sees("Freeing up context");
  scene.person.press("escape");
  await scene.rests(() => scene.count(lines[0] ?? "") === 2);
});
