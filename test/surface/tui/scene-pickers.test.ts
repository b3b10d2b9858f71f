// What the person opens: pickers, the full view, help; and what the status line says.
import { expect, test } from "bun:test";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, sizes, usage } from "./scene.ts";

const langs = [
  ...sizes.map((size) => ({ ...size, lang: "en" as const })),
  { columns: 80, rows: 24, name: "-zh", lang: "zh" as const },
];
const files = { "add.ts": "export function add(a: number, b: number): number {\n  return a - b;\n}\n" };
const edit = (from: string, to: string): Step => ({
  calls: [
    { tool: "read", input: { path: "add.ts" } },
    { tool: "edit", input: { path: "add.ts", old_string: from, new_string: to } },
  ],
});
/** How often the permissions that apply were shown. */
const tables = (scene: Scene): number => scene.count("No rules") + scene.count("没有规则");
const off = { workflow: { auto_verify_after_edit: false } };

test.each(langs)(
  "[PO-1] [PO-2] modes and presets are chosen from a list, below the table that applies, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    await using scene = await Scene.begin(more);
    scene.say("/mode");
    await scene.sees(/^┗/);
    await scene.frame(`pick-mode${name}`);
    scene.person.press("down", "enter");
    await scene.sees("● auto-edit");
    scene.say("/permissions");
    await scene.sees(() => tables(scene) === 1);
    await scene.sees(/^┗/);
    await scene.frame(`pick-permissions${name}`);
    scene.person.type("str");
    await scene.sees(/^┃ ❯ .*strict/);
    scene.person.press("enter");
    await scene.sees(() => tables(scene) === 2);
    await scene.frame(`picked-permissions${name}`);
  },
);

test.each(sizes)("[SL-1] a model is chosen from a list, at $columns by $rows", async ({ name, ...size }) => {
  const providers = {
    home: { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1", models: ["small", "大模型"] },
  };
  await using scene = await Scene.begin({ config: { providers }, ...size });
  scene.say("/model");
  await scene.sees(/^┗/);
  scene.person.type("home");
  await scene.sees(/ 2 of \d+ ━$/);
  await scene.frame(`pick-model${name}`);
  scene.person.press("enter");
  await scene.sees(/^● default {2}home/);
  await scene.frame(`picked-model${name}`);
});

test.each(langs)(
  "[RB-2] [PS-3] a task is taken back, and a session resumed, from a list, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    const script: readonly (readonly Step[])[] = [
      [edit("a - b", "a + b"), { text: "One.", usage }],
      [edit("a + b", "b + a"), { text: "Two.", usage }],
    ];
    await using scene = await Scene.begin({ script, files, mode: "yolo", config: off, ...more });
    scene.say("make add.ts add");
    await scene.rests("One.");
    scene.say("and now in the other order, because that reads better and it is my birthday");
    await scene.rests("Two.");
    scene.say("/undo");
    await scene.sees(/^┗/);
    await scene.frame(`pick-undo${name}`);
    scene.person.press("down", "enter");
    await scene.rests(() => scene.count("✓ Undo") + scene.count("✓ 撤销") === 1);
    expect(scene.text("add.ts")).toBe(files["add.ts"]);
    scene.say("/redo");
    await scene.rests(() => scene.count("✓ Redo") + scene.count("✓ 恢复") === 1);
    await scene.frame(`undone${name}`);
    scene.say("/new");
    await scene.sees(/SESSION|new session|新/i);
    scene.say("/resume");
    await scene.sees(/^┗/);
    await scene.frame(`pick-resume${name}`);
    scene.person.press("enter");
    await scene.rests(() => scene.count("One.") === 2 && scene.count("add.ts  +1 −1") === 8);
    await scene.frame(`picked-resume${name}`, { isWhole: true });
  },
);

test.each(sizes)("[SU-3] Ctrl+O shows the whole of what was cut, at $columns by $rows", async ({ name, ...size }) => {
  const script: Step[] = [
    { thinking: "I count.", calls: [{ tool: "bash", input: { command: "seq 1 500" } }] },
    { text: "Counted.", usage },
  ];
  await using scene = await Scene.begin({ script, ...size });
  scene.person.press("ctrl+o");
  await scene.sees("Nothing to show yet");
  scene.say("count");
  await scene.rests("Counted.");
  await scene.details();
  await scene.sees("Show in full");
  await scene.frame(`details${name}`);
  scene.person.press("enter");
  await scene.sees("q close");
  await scene.frame(`pager${name}`);
  scene.person.type("/499");
  scene.person.press("enter");
  await scene.sees(/^499$/);
  await scene.frame(`pager-found${name}`);
  scene.person.press("q");
  await scene.sees("Show in full");
  scene.person.press("escape");
  await scene.sees(/^> Ask/);
  expect(scene.person.rows().filter((row) => row.startsWith("● ")).length).toBe(1);
});

test.each(langs)(
  "[SL-1] help is on one screen, and so are the keys, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    await using scene = await Scene.begin(more);
    scene.say("/help");
    await scene.sees(/^\d+–\d+ |^第/);
    await scene.frame(`help${name}`);
    scene.person.press("q");
    await scene.sees(/^● /);
    scene.person.press("f1");
    await scene.sees(/^\d+–\d+ |^第/);
    await scene.frame(`keys${name}`);
  },
);

test("[PL-4] Ctrl+T shows todos and plan", async () => {
  const todos = ["Look", "Change", "Test"].map((content, at) => ({
    ...{ id: String(at), content, status: at === 0 ? "completed" : "pending", priority: "high" },
  }));
  const script: Step[] = [{ calls: [{ tool: "todowrite", input: { todos } }] }, { text: "Listed.", usage }];
  await using scene = await Scene.begin({ script });
  scene.person.press("ctrl+t");
  await scene.sees("No todos and no plan");
  scene.say("make a list");
  await scene.rests("Listed.");
  scene.person.press("ctrl+t");
  await scene.sees("q close");
  await scene.frame("todos-view");
});

test("[PO-1] Shift+Tab goes through the modes, each with its colour, also while a task runs", async () => {
  const script: Step[] = [{ text: "Half of it.", stallAfter: 1 }];
  await using scene = await Scene.begin({ script });
  const seen: (readonly [string, unknown])[] = [];
  for (const mode of ["default", "auto-edit", "plan", "default"]) {
    await scene.sees(`● ${mode}`);
    seen.push([mode, scene.person.styleOf(`● ${mode}`).colour]);
    scene.person.press("shift+tab");
  }
  expect(seen).toEqual([
    ["default", null],
    ["auto-edit", 2],
    ["plan", 6],
    ["default", null],
  ]);
  await scene.sees("● auto-edit");
  scene.say("begin");
  await scene.sees("Half of it");
  scene.person.press("shift+tab");
  await scene.sees("● plan");
  await scene.frame("mode-running");
});

for (const [columns, rows, lang] of [
  [80, 24, "en"],
  [80, 24, "zh"],
  [32, 12, "en"],
] as const)
  test(`[PO-1] [SU-4] yolo is asked about once, in words, and Enter alone says no, at ${columns} by ${rows}, ${lang}`, async () => {
    await using scene = await Scene.begin({ script: [{ text: "hello" }], columns, rows, lang });
    await scene.sees("● default");
    scene.say("/mode yolo");
    await scene.asked(lang === "zh" ? "确定吗" : "Are you sure");
    await scene.frame(`yolo-${columns}x${rows}-${lang}`);
    scene.person.press("enter");
    await scene.sees(lang === "zh" ? "未做任何更改" : "Nothing was changed");
    await scene.sees("● default");
    scene.say("/mode yolo");
    await scene.asked(lang === "zh" ? "确定吗" : "Are you sure");
    scene.person.press("2");
    await scene.sees("● yolo");
    expect(scene.person.styleOf("● yolo").colour).toBe(1);
    scene.person.press("shift+tab");
    await scene.sees("● plan");
  });

test.each(langs)(
  "[SU-3] [SU-4] colours and language are chosen from lists, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    await using scene = await Scene.begin(more);
    scene.say("/theme");
    await scene.sees(/^┗/);
    await scene.frame(`pick-theme${name}`);
    scene.person.press("down", "enter");
    await scene.sees("> /theme dark");
    scene.say("/lang");
    await scene.sees("简体中文");
    await scene.frame(`pick-lang${name}`);
    scene.person.press(more.lang === "zh" ? "up" : "down", "enter");
    await scene.sees(more.lang === "zh" ? "> /lang en" : "> /lang zh");
  },
);

test("[SU-3] a question mark alone shows the keys, and in a text it is one", async () => {
  for (const sign of ["?", "？"]) {
    await using scene = await Scene.begin();
    scene.person.type(sign);
    await scene.sees(/^━━ Keys/);
    scene.person.press("q");
    await scene.sees("Ask anything");
    scene.person.type(`a${sign}`);
    await scene.sees(`> a${sign}`);
  }
});

test.each(["exit", "quit", "Exit ", "/exit", "/clear"])("[SU-3] %s does what people know it for", async (text) => {
  await using scene = await Scene.begin({ script: [{ text: "Hello.", usage }] });
  scene.say("say hello");
  await scene.rests("Hello.");
  scene.say(text);
  if (text !== "/clear") {
    expect(await scene.person.exited).toBe(0);
    expect(scene.cli.server.requests.length).toBe(1);
    return;
  }
  await scene.sees("New session. To return to the old one: /resume");
});

test.each(langs)(
  "[CLI-5] [SL-1] a model without a key is given one without leaving, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    const providers = {
      lab: { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1", api_key_env: "LAB_KEY", models: ["large"] },
    };
    await using scene = await Scene.begin({ config: { providers }, ...more });
    scene.say("/model");
    await scene.sees(/^┗/);
    scene.person.type("lab/large");
    await scene.sees(/^┃ ❯ .*lab\/large/);
    await scene.frame(`pick-keyless${name}`);
    scene.person.press("enter");
    await scene.asked(more.lang === "zh" ? "lab 的密钥" : "Key for lab");
    scene.person.type("k-12345678");
    await scene.sees("••••");
    await scene.frame(`key-entered${name}`);
    scene.person.press("enter");
    await scene.sees(/^● default {2}lab\/large/);
    expect(scene.count("k-12345678")).toBe(0);
    expect(JSON.parse(scene.home("keys.json"))).toEqual({ lab: "k-12345678" });
  },
);

test.each(langs)(
  "[CLI-1] [SU-4] /setup asks what the first start asks, and Esc changes nothing, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    const providers = Object.fromEntries(
      ["ollama", "lmstudio", "llamacpp", "vllm"].map((one) => [one, { base_url: "http://127.0.0.1:9/v1" }]),
    );
    await using scene = await Scene.begin({ config: { providers }, ...more });
    scene.say("/setup");
    await scene.asked(/^┃ ❯ 1/);
    await scene.frame(`setup${name}`);
    scene.person.press("1");
    await scene.asked(/deepseek/);
    await scene.frame(`setup-vendors${name}`);
    scene.person.press("escape");
    await scene.sees(more.lang === "zh" ? "已停止" : "Stopped. Nothing else was changed.");
    scene.say("/setup");
    await scene.sees(() => scene.person.rows().some((row) => /^┃ ❯ 1/.test(row)));
    await scene.person.reads();
    scene.person.press("3");
    await scene.sees("● default  builtin/mechanic");
  },
);
