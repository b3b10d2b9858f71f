// The same with other colours, without any, and in Chinese.
import { expect, test } from "bun:test";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, usage } from "./scene.ts";

const files = { "add.ts": "export function add(a: number, b: number): number {\n  return a - b; // wrong\n}\n" };
const script: readonly Step[] = [
  {
    thinking: "The sign.",
    text: "I **read** `add.ts` and change it.",
    calls: [{ tool: "read", input: { path: "add.ts" } }],
  },
  {
    calls: [{ tool: "edit", input: { path: "add.ts", old_string: "a - b; // wrong", new_string: "a + b; // right" } }],
  },
  { calls: [{ tool: "bash", input: { command: "exit 1" } }] },
  { text: "# Done\n\n```ts\nconst sum = add(1, 2); // three\n```\n\n- one\n- [docs](https://example.com)", usage },
];
const config = (theme: string): unknown => ({ ui: { theme }, workflow: { auto_verify_after_edit: false } });

/** How the things look that have a colour. */
async function colours(scene: Scene): Promise<Readonly<Record<string, unknown>>> {
  scene.say("make add.ts add");
  await scene.rests("/undo to revert");
  const style = (text: string): string => {
    const { colour, background, isBold, isDim } = scene.person.styleOf(text);
    const tint = background === null ? "" : ` on ${background}`;
    return `${colour ?? "own"}${tint}${isBold ? " bold" : ""}${isDim ? " dim" : ""}`;
  };
  return {
    ...{ said: style("> make"), thought: style("∴"), strong: style("read add.ts"), code: style("add.ts and") },
    ...{
      done: style("✓ Read"),
      failed: style("✗ Run"),
      removed: style("- b; // wrong"),
      added: style("+ b; // right"),
    },
    ...{ heading: style("Done"), keyword: style("const sum"), comment: style("// three"), bullet: style("- one") },
    ...{ outcome: style("UNVERIFIED"), mode: style("● yolo"), model: style("openai-chat/mock") },
  };
}

const size = { columns: 80, rows: 45 };

test("[SU-3] the terminal's own sixteen colours are the usual ones", async () => {
  await using scene = await Scene.begin({ script, files, mode: "yolo", config: config("terminal"), ...size });
  expect(await colours(scene)).toEqual({
    ...{
      said: "6",
      thought: "own dim",
      strong: "own bold",
      code: "6",
      done: "2",
      failed: "1",
      removed: "1",
      added: "2",
    },
    ...{ heading: "6 bold", keyword: "5", comment: "own dim", bullet: "6", outcome: "3 bold", mode: "1", model: "own" },
  });
  await scene.frame("colours");
});

test("[SU-3] the dark theme has light colours", async () => {
  await using scene = await Scene.begin({ script, files, mode: "yolo", config: config("dark"), ...size });
  expect(await colours(scene)).toEqual({
    ...{ said: "80", thought: "245", strong: "own bold", code: "80", done: "114", failed: "210" },
    ...{
      removed: "own on 88",
      added: "own on 28",
      heading: "80 bold",
      keyword: "176",
      comment: "245",
      bullet: "80",
      outcome: "221 bold",
    },
    ...{ mode: "210", model: "own" },
  });
});

test("[SU-3] the light theme has dark colours", async () => {
  await using scene = await Scene.begin({ script, files, mode: "yolo", config: config("light"), ...size });
  expect(await colours(scene)).toEqual({
    ...{ said: "30", thought: "243", strong: "own bold", code: "30", done: "28", failed: "160" },
    ...{
      removed: "own on 217",
      added: "own on 157",
      heading: "30 bold",
      keyword: "90",
      comment: "243",
      bullet: "30",
      outcome: "130 bold",
    },
    ...{ mode: "160", model: "own" },
  });
});

test("[SU-3] a terminal that says what its background is gets changes on a tint that suits it", async () => {
  await using scene = await Scene.begin({ script, files, mode: "yolo", config: config("terminal"), ...size });
  scene.person.type("\x1b]11;rgb:1e1e/1e1e/1e1e\x07");
  expect(await colours(scene)).toMatchObject({ removed: "own on 88", added: "own on 28", said: "6" });
  expect(scene.typed()).toBe("");
  await scene.frame("colours");
});

test("[CLI-5] NO_COLOR leaves no colour anywhere, and says the same", async () => {
  const env = { NO_COLOR: "1" };
  await using scene = await Scene.begin({ script, files, mode: "yolo", config: config("dark"), ...size, env });
  await colours(scene);
  const cells = scene.person.emulator.picture().rows.flat();
  expect(cells.filter(({ colour, background }) => colour !== null || background !== null)).toEqual([]);
  await scene.frame("colours");
});

test("[SL-1] /theme and /lang change the look at once", async () => {
  await using scene = await Scene.begin({ config: config("terminal") });
  scene.say("/theme light");
  await scene.rests("/theme light");
  scene.say("/lang zh");
  await scene.sees("请输入任务");
  await scene.frame("restyled");
  expect(scene.person.styleOf("● default").colour).toBe(null);
});

test("[SU-4] everything that happens is told in Chinese", async () => {
  const bash = (command: string) => ({ tool: "bash", input: { command } });
  const steps: readonly (readonly Step[])[] = [
    [
      {
        ...{ thinking: "看看。", text: "先看看。" },
        calls: [
          ...[
            { tool: "read", input: { path: "add.ts" } },
            { tool: "read", input: { path: "没有.ts" } },
            { tool: "list", input: {} },
          ],
          ...[{ tool: "grep", input: { pattern: "return" } }, bash("seq 1 30"), bash("exit 3"), bash("rm -rf build")],
        ],
      },
      { calls: [{ tool: "question", input: { questions: [{ question: "用哪个？", options: ["甲", "乙"] }] } }] },
      {
        calls: [
          {
            tool: "todowrite",
            input: {
              todos: [
                { id: "1", content: "改代码", status: "in_progress", priority: "high" },
                { id: "2", content: "测试", status: "pending", priority: "low" },
              ],
            },
          },
        ],
      },
      {
        text: "写到一半",
        status: 503,
        headers: { "retry-after": "1" },
        body: '{"error":{"message":"忙"}}',
        times: 1,
        usage,
      },
      { text: "就写到这里", usage },
    ],
    [{ text: "好的。", usage }],
    [{ ...{ text: "[PLAN]\n1. [ ] 删除旧报告 (tools: bash)\n2. [ ] 测量 (tools: bash)" } }],
    [{ status: 401, body: '{"error":{"message":"bad key"}}' }],
  ];
  await using scene = await Scene.begin({ script: steps, files, lang: "zh", rows: 40 });
  scene.say("看一下 add.ts");
  await scene.asked("运行此命令？");
  scene.person.press("a", "n");
  await scene.sees("拒绝");
  scene.person.press("enter");
  await scene.asked("有问题需要你回答");
  await scene.frame("zh-question");
  scene.person.press("1");
  await scene.sees("后重试");
  scene.person.type("补充一句");
  scene.person.press("enter");
  await scene.sees("补充一句");
  await scene.frame("zh-waiting");
  await scene.rests("好的。");
  await scene.frame("zh-told", { isWhole: true });
  scene.say(
    "重写整个报告模块，让它逐行读取输入，保持输出格式，并说明之前和之后哪里慢，为什么慢，以及如何验证这一点，谢谢。",
  );
  await scene.asked("执行此计划？");
  await scene.frame("zh-plan");
  scene.person.press("escape");
  await scene.rests("Cancelled by ESC");
  scene.say("再来");
  await scene.rests("模型错误");
  await scene.frame("zh-ends");
  await scene.details();
  await scene.sees(/^┗/);
  await scene.frame("zh-details");
});
