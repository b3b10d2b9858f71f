// Where the person types: menus, shell mode, earlier inputs, what waits for its turn.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../support/scripted-reply.ts";
import { untilFile } from "../../support/shell.ts";
import { Scene, sizes, usage } from "./scene.ts";

const files = {
  "src/add.ts": "x\n",
  "src/long name with blanks.ts": "x\n",
  "src/中文/名字.ts": "x\n",
  "docs/guide.md": "x\n",
  "README.md": "x\n",
};
const langs = [
  ...sizes.map((size) => ({ ...size, lang: "en" as const })),
  { columns: 80, rows: 24, name: "-zh", lang: "zh" as const },
];

test.each(langs)(
  "[SL-1] / offers commands with what they do, at $columns by $rows, $lang",
  async ({ name, ...more }) => {
    await using scene = await Scene.begin(more);
    scene.person.type("/");
    await scene.sees(/^› \//);
    await scene.frame(`slash${name}`);
    scene.person.type("mod");
    await scene.sees(/^> \/mod$/);
    await scene.sees(/^› \/mode/);
    await scene.frame(`slash-mod${name}`);
  },
);

test.each(sizes)("[SU-3] @ offers files, at $columns by $rows", async ({ name, ...size }) => {
  await using scene = await Scene.begin({ files, ...size });
  scene.person.type("look at @");
  await scene.sees("docs/");
  await scene.frame(`mention${name}`);
  scene.person.type("名");
  await scene.sees(/^› src\/中文\/名字.ts/);
  scene.person.press("tab");
  await scene.sees("> look at @src/中文/名字.ts");
  await scene.frame(`mentioned${name}`);
});

test.each(langs)("[IN-2] ! looks like what it is, at $columns by $rows, $lang", async ({ name, ...more }) => {
  await using scene = await Scene.begin(more);
  scene.person.type("!git status");
  await scene.sees("! git status");
  await scene.frame(`shell${name}`);
});

test.each(sizes)("[SU-3] Ctrl+R looks through earlier inputs, at $columns by $rows", async ({ name, ...size }) => {
  const script: Step[] = [{ text: "Yes.", usage }];
  await using scene = await Scene.begin({ script: [script, script, script], ...size });
  const texts = ["what is in src?", "say yes\nin two lines, please", "why is src/add.ts so short?"];
  for (const [at, text] of texts.entries()) {
    scene.say(text);
    await scene.rests(() => scene.count("Yes.") === at + 1);
  }
  scene.person.press("ctrl+r");
  await scene.sees(/^› /);
  await scene.frame(`search${name}`);
  scene.person.type("yes two");
  await scene.sees(/^› say yes/);
  scene.person.press("enter");
  await scene.sees(() => !scene.person.rows().some((row) => row.startsWith("─ history")));
  await scene.frame(`search-taken${name}`);
});

test.each(sizes)(
  "[IN-5] what is sent meanwhile is seen, and can be taken back, at $columns by $rows",
  async ({ name, ...size }) => {
    const files = { "until-go.sh": untilFile("go") };
    const script = [
      {
        when: "begin",
        steps: [{ calls: [{ tool: "bash", input: { command: "sh until-go.sh" } }] }, { text: "Begun.", usage }],
      },
      { when: "then", steps: [{ text: "And then.", usage }] },
      { when: "steer", steps: [{ text: "Steered.", usage }] },
    ];
    await using scene = await Scene.begin({ script, files, mode: "yolo", ...size });
    scene.say("begin");
    await scene.sees(/^• Run sh until/);
    scene.person.type("steer this\nwith a second line");
    scene.person.press("enter");
    await scene.sees("steer this …");
    for (const text of ["then that", "then the other thing"]) {
      scene.person.type(text);
      scene.person.press("alt+enter");
      await scene.sees(`: ${text}`);
    }
    await scene.frame(`queue${name}`);
    scene.person.press("alt+up");
    await scene.sees("Waiting to be sent");
    scene.person.press("down", "down");
    await scene.sees(/^┃ ❯ .*the other thing/);
    await scene.frame(`queue-panel${name}`);
    scene.person.press("enter");
    await scene.sees("> then the other thing");
    scene.person.press("ctrl+u");
    await Bun.write(`${scene.cli.workspace}/go`, "");
    await scene.rests("And then.");
    await scene.frame(`queue-done${name}`, { isWhole: true });
    expect(scene.count("then the other thing")).toBe(0);
  },
);

for (const [columns, rows, lang, name] of [
  [80, 24, "en", ""],
  [40, 10, "en", "-40x10"],
  [140, 40, "en", "-140x40"],
  [80, 24, "zh", "-zh"],
] as const)
  test(`[IN-7] [PO-4] a file from outside is offered for this message, at ${columns} by ${rows}, ${lang}`, async () => {
    await using scene = await Scene.begin({
      script: [{ text: "Seen.", usage: { input: 9, output: 5 } }],
      columns,
      rows,
      lang,
    });
    writeFileSync(join(scene.cli.root, "draft (1).txt"), "the draft\n");
    scene.person.type(`see @"${scene.cli.root}/draft (1).txt"`);
    scene.person.press("escape", "enter");
    await scene.asked(/^┃ {3}2/);
    await scene.frame(`outside${name}`, { replace: [[/\/\S*cli-\w{6}/g, "/tmp/ROOT"]] });
    scene.person.press("enter");
    scene.person.press("escape");
    await scene.sees(() => scene.typed().startsWith("see @"));
    expect(scene.cli.server.requests.length).toBe(0);
    scene.person.press("enter");
    await scene.asked(/^┃ {3}2/);
    scene.person.press("1");
    await scene.rests("Seen.");
    expect(JSON.stringify(scene.cli.server.requests.at(-1)?.body.messages)).toContain("the draft");
  });
