// What comes from outside is shown, never obeyed: no title, no clipboard, no cursor and no question is anybody's but ours.
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, usage } from "./scene.ts";

const evil = [
  "\x1b]52;c;ZXZpbA==\x07clip",
  "\x1b]0;EVIL\x07title",
  "\x1b]2;EVIL\x1b\\title",
  "\x1b[2J\x1b[1;1Hmoved",
  "\x1b[?1049hother screen",
  "\x1b[2;5rregion",
  "\x1b[5n\x1b[6n\x1b[casked",
  "\x9b2Jc1 \x9d0;EVIL\x9c",
  "\x1bP+q544e\x1b\\dcs \x1b_apc\x1b\\ \x1b^pm\x1b\\",
  "\x1bcreset \x1b7\x1b8 \x1b(0lqqk\x1b(B \x0e\x0f",
  "\x1b[3A\x1b[Kup \x08\x08\x08 back\x7f",
  "right \u202eto left\u202c \u2066iso\u2069 \u200bzero\u00ad \ufeffbom",
  "┏━ Run this command? ━━━━ bash ━",
  "┃ │ rm -rf /",
  "┗ y yes · n no · Esc cancel the task",
  "● yolo  evil/model",
  "\x1b]8;;http://evil.example/\x07link\x1b]8;;\x07",
];
const all = evil.join("\n");
/** What a sequence of ours looks like: styles, links, moves, erasing, modes, the title, and what is asked of the terminal. */
const ours = new RegExp(
  [
    "\\x1b\\[[\\d;]*m",
    "\\x1b\\]8;;[\\x21-\\x7e]*(?:\\x07|\\x1b\\\\)",
    "\\x1b\\[\\d*[ABCJKLMH]",
    "\\x1b\\[\\d+;\\d+H",
    "\\x1b\\[\\?(?:7|25|1004|1049|2004|2026|2027)[hl]",
    "\\x1b\\[2[23];0t",
    "\\x1b\\]2;[^\\x00-\\x1f\\x7f-\\x9f]*\\x07",
    "\\x1b\\[>?[\\d;]*[cnu]",
    "\\x1b\\[\\?u",
    "\\x1b\\[[<>=][\\d;]*[um]",
    "[\\r\\n\\x07]",
  ].join("|"),
  "g",
);

/** Everything that was written and is neither text nor ours. */
function foreign(written: string): readonly string[] {
  return [
    ...written.replace(ours, "").matchAll(/[\x00-\x1f\x7f-\x9f][^\x00-\x1f]{0,12}|[\u202a-\u202e\u2066-\u2069]/g),
  ].map(([one]) => JSON.stringify(one));
}

/** Listens to all that is written, and to what of it reaches the clipboard or the title. */
function listen(scene: Scene): { readonly written: () => string; readonly obeyed: string[] } {
  const decoder = new TextDecoder();
  let written = "";
  const obeyed: string[] = [];
  scene.person.onBytes = (data) => {
    written += decoder.decode(data, { stream: true });
  };
  const { parser } = scene.person.emulator.terminal;
  parser.registerOscHandler(52, () => obeyed.push("clipboard") > 0);
  parser.registerCsiHandler({ final: "r" }, () => obeyed.push("region") > 0);
  parser.registerEscHandler({ final: "c" }, () => obeyed.push("reset") > 0);
  return { written: () => written, obeyed };
}

test("[SA-terminal-escapes] the model, its thoughts, its arguments and its titles draw nothing", async () => {
  const script: Step[] = [
    {
      thinking: all,
      text: all,
      chunkChars: 3,
      calls: [{ tool: "bash", input: { command: `echo ok # ${evil.slice(0, 8).join(" ")}` } }],
    },
    {
      calls: [
        { tool: "read", input: { path: `no\x1b]0;EVIL\x07such\u202efile` } },
        { tool: `evil\x1b[2J`, input: { a: all } },
      ],
    },
    {
      calls: [
        { tool: "todowrite", input: { todos: [{ id: "1", content: all, status: "pending", priority: "high" }] } },
      ],
    },
    { text: "Done.", usage },
  ];
  await using scene = await Scene.begin({ script });
  const { written, obeyed } = listen(scene);
  scene.person.paste("do\x1b]52;c;ZXZpbA==\x07 evil \u202ethings\x1b[2J");
  scene.person.press("enter");
  await scene.asked(/^┏━ Run this command\? ━+ bash ━$/);
  expect(scene.person.rows().filter((row) => /^[┏┗]/.test(row)).length).toBe(2);
  await scene.frame("hostile-asked");
  scene.person.press("v");
  await scene.sees("q close");
  scene.person.press("q");
  await scene.asked("Run this");
  scene.person.press("n");
  await scene.sees("Deny");
  scene.person.press("enter");
  await scene.rests("Done.");
  await scene.frame("hostile-model", { isWhole: true });
  expect(scene.person.title()).not.toContain("EVIL");
  scene.say("/resume");
  await scene.sees(/^┗/);
  await scene.frame("hostile-title");
  expect([foreign(written()), obeyed]).toEqual([[], []]);
});

test("[SA-terminal-escapes] a plan draws nothing, in the question about it and in full", async () => {
  const odd = evil.slice(0, 5).join(" ");
  const plan = {
    title: odd,
    goal: odd,
    steps: [
      { id: "s1", title: `Delete ${odd}` },
      { id: "s2", title: "b" },
    ],
  };
  await using scene = await Scene.begin({ script: [{ text: `[PLAN]\n${JSON.stringify(plan)}` }, { text: "Done." }] });
  const { written, obeyed } = listen(scene);
  scene.say(
    "Rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before and after it.",
  );
  await scene.asked("Carry out this plan?");
  scene.person.press("v");
  await scene.sees("q close");
  expect([foreign(written()), obeyed, scene.person.title().includes("EVIL")]).toEqual([[], [], false]);
});

test("[SA-terminal-escapes] commands, files and their names draw nothing", async () => {
  const named = "na\x1b]0;EVIL\x07me\u202etxt.sh";
  const commands = [
    "cat evil.txt",
    "cat binary",
    "cat evil.txt >&2; exit 1",
    "ls -1",
    `printf '\\033'; sleep 0.1; printf ']52;c;ZXZpbA==\\007half'`,
  ];
  const script: Step[] = [
    { calls: commands.map((command) => ({ tool: "bash", input: { command } })) },
    {
      calls: [
        { tool: "read", input: { path: "evil.txt" } },
        { tool: "list", input: {} },
        { tool: "glob", input: { pattern: "*" } },
      ],
    },
    { calls: [{ tool: "edit", input: { path: "evil.txt", old_string: "clip", new_string: `${all}\nclap` } }] },
    { text: "Done.", usage },
  ];
  await using scene = await Scene.begin({
    script,
    mode: "yolo",
    config: { workflow: { auto_verify_after_edit: false } },
  });
  writeFileSync(join(scene.cli.workspace, "evil.txt"), `${all}\n`);
  writeFileSync(join(scene.cli.workspace, "binary"), Buffer.from(Array.from({ length: 400 }, (_, n) => (n * 7) % 256)));
  for (const name of [named, "name of a good one"]) writeFileSync(join(scene.cli.workspace, name), "x\n");
  const { written, obeyed } = listen(scene);
  scene.person.type("see @na");
  await scene.sees(/^› name of/);
  await scene.frame("hostile-menu");
  scene.person.press("ctrl+u");
  await scene.sees("> Ask anything");
  scene.say("!cat evil.txt");
  await scene.rests("! cat evil.txt");
  scene.say("go");
  await scene.rests("Done.");
  await scene.frame("hostile-files", { isWhole: true });
  await scene.details();
  await scene.sees("Show in full");
  scene.person.press("enter");
  await scene.sees("q close");
  await scene.frame("hostile-pager");
  expect([foreign(written()), obeyed, scene.person.title().includes("EVIL")]).toEqual([[], [], false]);
});

test("[SA-terminal-escapes] what the model's server says, a branch and a folder draw nothing", async () => {
  const body = JSON.stringify({ error: { message: all, type: "evil\x1b[2J", code: "\x1b]0;EVIL\x07" } });
  const scene = Scene.open({ script: [{ status: 400, body }] });
  await using _ = scene;
  await scene.ready();
  const git = (...args: readonly string[]): void => void execFileSync("git", [...args], { cwd: scene.cli.workspace });
  git("init", "-q", "-b", "e\u202evil");
  const { written, obeyed } = listen(scene);
  scene.say("what is in here?");
  await scene.rests("FAILED");
  await scene.frame("hostile-server");
  expect([foreign(written()), obeyed, scene.person.title().includes("EVIL")]).toEqual([[], [], false]);
});
