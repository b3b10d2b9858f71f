// May this run? What is asked, in every form, and what becomes of the answers.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, sizes, usage } from "./scene.ts";

const files = { "add.ts": "export function add(a: number, b: number): number {\n  return a - b;\n}\n" };
const bash = (command: string): Step => ({ calls: [{ tool: "bash", input: { command } }] });
const done: Step = { text: "Done.", usage };

test.each(sizes)(
  "[PO-6] a command is shown as it will run, with every reason, at $columns by $rows",
  async ({ name, ...size }) => {
    const command = "npm install left-pad && rm -rf build/output && git push origin main --force";
    await using scene = await Scene.begin({ script: [{ text: "I clean up.", ...bash(command) }, done], ...size });
    scene.say("clean up and push");
    await scene.asked("Run this command?");
    await scene.frame(`approval-command${name}`);
  },
);

test.each(sizes)("[PO-6] an edit is asked about with its diff, at $columns by $rows", async ({ name, ...size }) => {
  const script: Step[] = [
    { calls: [{ tool: "read", input: { path: "add.ts" } }] },
    {
      text: "I fix it.",
      calls: [{ tool: "edit", input: { path: "add.ts", old_string: "a - b", new_string: "a + b" } }],
    },
    done,
  ];
  await using scene = await Scene.begin({ script, files, ...size });
  scene.say("make add.ts add");
  await scene.asked("Apply this change?");
  await scene.sees(/\d \+ {3}return a \+ b|press v/);
  await scene.frame(`approval-edit${name}`);
  scene.person.press("y");
  if (size.rows < 24) {
    await scene.asked("of it unseen");
    scene.person.press("y");
  }
  await scene.rests("Done.");
  expect(readFileSync(`${scene.cli.workspace}/add.ts`, "utf8")).toContain("a + b");
});

test.each(sizes)(
  "[PO-6] what is too long for the screen can be seen in full, at $columns by $rows",
  async ({ name, ...size }) => {
    const content = Array.from({ length: 120 }, (_, n) => `line ${n + 1} of a long file\n`).join("");
    const script: Step[] = [{ calls: [{ tool: "write", input: { path: "long.txt", content } }] }, done];
    await using scene = await Scene.begin({ script, ...size });
    scene.say("write long.txt");
    await scene.asked("press v");
    await scene.frame(`approval-long${name}`);
    scene.person.press("y");
    await scene.asked("not shown");
    await scene.frame(`approval-unseen${name}`);
    scene.person.press("v");
    await scene.sees("q close");
    await scene.frame(`approval-pager${name}`);
    scene.person.press("G");
    await scene.sees("line 120");
    scene.person.press("q");
    await scene.asked("Apply this change?");
    scene.person.press("y");
    await scene.rests("Done.");
  },
);

test("[PO-6] [SA-hidden-text] hidden and turned characters are spelled out", async () => {
  const command = "echo safe \u202e# fr- mr\u2066\u200b; r\u00adm -rf ~\u001b[2K\u001b[1A\recho nothing\u0007";
  await using scene = await Scene.begin({ script: [bash(command), done] });
  scene.say("say something nice");
  await scene.asked("Run this command?");
  await scene.frame("approval-hidden");
});

test("[PO-6] no goes with words, which the model is told", async () => {
  await using scene = await Scene.begin({ script: [bash("rm -rf build"), done] });
  scene.say("clean up");
  await scene.asked("Run this command?");
  scene.person.press("n");
  await scene.sees("Deny");
  scene.person.type("使用 make clean");
  await scene.sees("使用 make clean");
  await scene.frame("approval-no");
  scene.person.press("enter");
  await scene.rests("Done.");
  await scene.frame("approval-refused");
  const told = JSON.stringify(scene.cli.server.requests.at(-1)?.body.messages);
  expect(told).toContain("使用 make clean");
});

test("[PO-6] always shows what it stores, and asks no more", async () => {
  const script: Step[] = [bash("touch made.txt"), bash("touch made.txt"), done];
  await using scene = await Scene.begin({ script });
  scene.say("touch it twice");
  await scene.asked("Run this command?");
  scene.person.press("a");
  await scene.asked("Always allow this?");
  await scene.frame("approval-always");
  scene.person.press("enter");
  await scene.rests("Done.");
  expect(scene.cli.server.requests.length).toBe(3);
});

test("[PO-6] a text that is being written is written on, and none of its letters answers", async () => {
  await using scene = await Scene.begin({ isTimed: true, script: [{ delayMs: 100, ...bash("touch made.txt") }, done] });
  scene.say("touch it");
  const text = "yea, a day by any way a year away";
  const type = async (part: string): Promise<void> => {
    for (const sign of part) {
      scene.person.type(sign);
      scene.person.tick(90);
    }
    await scene.person.sync();
  };
  await type(text.slice(0, 9));
  await scene.sees("Run this command?");
  await type(text.slice(9));
  scene.person.press("enter");
  await scene.person.sync();
  expect([await Bun.file(`${scene.cli.workspace}/made.txt`).exists(), scene.cli.server.requests.length]).toEqual([
    ...[false, 1],
  ]);
  await scene.person.stopsTyping();
  scene.person.press("y");
  await scene.rests("Done.");
  await scene.sees(`> ${text}`);
});

test("[PO-6] a key that is held down allows nothing for good", async () => {
  const script = [bash("touch made.txt"), bash("touch made.txt"), done];
  await using scene = await Scene.begin({ isTimed: true, script });
  scene.say("touch it twice");
  await scene.asked("Run this command?");
  await scene.person.hold("a");
  await scene.asked("Always allow this?");
  scene.person.press("escape");
  await scene.asked("Run this command?");
  scene.person.press("y");
  await scene.sees("✓ Run touch made.txt");
  await scene.asked("Run this command?");
});

test.each(sizes)("[PO-6] arrows and Enter answer as digits do, at $columns by $rows", async ({ name, ...size }) => {
  const script: Step[] = [bash("touch one.txt"), bash("touch two.txt"), done];
  await using scene = await Scene.begin({ script, ...size });
  scene.say("touch them");
  await scene.asked("Run this command?");
  scene.person.press("enter", "down");
  await scene.sees("❯");
  await scene.frame(`approval-marked${name}`);
  scene.person.press("enter");
  if (size.rows < 24) {
    await scene.asked("of it unseen");
    scene.person.press("enter");
  }
  await scene.asked("two.txt");
  scene.person.press("v");
  await scene.sees("q close");
  scene.person.press("q");
  await scene.asked("Run this command?");
  scene.person.press("1");
  await scene.rests("Done.");
  for (const file of ["one.txt", "two.txt"])
    expect(await Bun.file(`${scene.cli.workspace}/${file}`).exists()).toBe(true);
});

test("[PO-6] an Enter that is held down on a marked choice goes no further than that one", async () => {
  const script = [bash("touch made.txt"), bash("touch made.txt"), done];
  await using scene = await Scene.begin({ isTimed: true, script });
  scene.say("touch it twice");
  await scene.asked("Run this command?");
  scene.person.press("down", "down");
  await scene.sees("❯ 2");
  await scene.person.hold("enter");
  await scene.asked("Always allow this?");
  expect(await Bun.file(`${scene.cli.workspace}/made.txt`).exists()).toBe(false);
  scene.person.press("escape");
  await scene.asked("Run this command?");
  await scene.person.hold("1");
  await scene.sees("✓ Run touch made.txt");
  await scene.asked("Run this command?");
  expect(scene.cli.server.requests.length).toBe(2);
});

test("[PO-6] digits and arrows that were typed before a question answer none of it", async () => {
  await using scene = await Scene.begin({ isTimed: true, script: [{ delayMs: 100, ...bash("touch made.txt") }, done] });
  scene.say("touch it");
  const isAsked = (): boolean => scene.person.rows().some((row) => row.includes("Run this command?"));
  while (!isAsked()) await scene.person.hold("1", 1);
  scene.person.press("down", "enter", "1");
  scene.person.type("\u001b[200~1\r\u001b[201~");
  await scene.person.sync();
  expect([await Bun.file(`${scene.cli.workspace}/made.txt`).exists(), isAsked()]).toEqual([false, true]);
  await scene.askedAfterTyping("Run this command?");
  scene.person.type("1");
  await scene.rests("Done.");
});

test("[PO-6] what is typed to search in a list does not answer what appears above it", async () => {
  const script: Step[] = [{ delayMs: 1_000, ...bash("touch made.txt") }, done];
  await using scene = await Scene.begin({ isTimed: true, script });
  scene.say("touch it");
  scene.say("/mode");
  await scene.sees("Choose a mode");
  const isAsked = (): boolean => scene.person.rows().some((row) => row.includes("Run this command?"));
  while (!isAsked()) {
    scene.person.type("x");
    scene.person.tick(100);
    await scene.person.sync();
  }
  scene.person.tick(270);
  scene.person.type("y");
  await scene.sees("You typed before the question");
  expect([await Bun.file(`${scene.cli.workspace}/made.txt`).exists(), isAsked()]).toEqual([false, true]);
});

test("[PO-6] what is run can be edited before", async () => {
  await using scene = await Scene.begin({ script: [bash("touch one.txt"), done] });
  scene.say("touch it");
  await scene.asked("Run this command?");
  scene.person.press("e");
  await scene.sees("Edit this call");
  scene.person.press("backspace", "backspace", "backspace");
  scene.person.type("md");
  await scene.sees("touch one.md");
  await scene.frame("approval-editing");
  scene.person.press("enter");
  // The text stands in the editor already; the question has its keys below it.
  await scene.asked("1 Yes (y)");
  scene.person.press("y");
  await scene.rests("Done.");
  expect(await Bun.file(`${scene.cli.workspace}/one.md`).exists()).toBe(true);
  await scene.frame("approval-edited");
});

test("[PO-6] [SU-4] the same in Chinese", async () => {
  const script: Step[] = [
    { calls: [{ tool: "read", input: { path: "add.ts" } }] },
    {
      text: "我来修改。",
      calls: [{ tool: "edit", input: { path: "add.ts", old_string: "a - b", new_string: "a + b" } }],
    },
    { ...bash("rm -rf build") },
    { text: "完成。", usage },
  ];
  await using scene = await Scene.begin({ script, files, lang: "zh" });
  scene.say("修改 add.ts");
  await scene.asked("应用此修改？");
  await scene.sees("+   return a + b");
  await scene.frame("approval-edit-zh");
  scene.person.press("y");
  await scene.asked("运行此命令？");
  await scene.frame("approval-command-zh");
  scene.person.press("n");
  await scene.sees("希望它改为怎么做");
  scene.person.press("enter");
  await scene.rests("完成。");
  await scene.frame("approval-refused-zh");
});

for (const [columns, rows, lang] of [
  [80, 24, "en"],
  [80, 24, "zh"],
  [32, 12, "en"],
] as const)
  test(`[IN-3] [SU-4] a typed command can be the last that is asked about, at ${columns} by ${rows}, ${lang}`, async () => {
    await using scene = await Scene.begin({ columns, rows, lang });
    scene.say("!touch typed.txt");
    await scene.asked(/^┏/);
    await scene.frame(`typed-${columns}x${rows}-${lang}`);
    scene.person.press("d");
    await scene.asked(lang === "zh" ? "不再询问 !" : "Run ! without asking");
    await scene.frame(`typed-sure-${columns}x${rows}-${lang}`);
    // Where it does not fit, it takes a second yes.
    if (rows === 12) return;
    scene.person.press("d");
    await scene.sees("shell_mode.approval");
    await scene.sees(/^✓ \[COMMAND\] touch typed.txt/);
    scene.say("!touch again.txt");
    await scene.sees(/^✓ \[COMMAND\] touch again.txt/);
  });
