// Commands that go on in the background, and what works there, looked at.
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../support/scripted-server.ts";
import { aliveWith, newToken, untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { Scene, sizes } from "./scene.ts";

const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });
const langs = [
  ...sizes.map((size) => ({ ...size, lang: "en" as const })),
  { columns: 80, rows: 24, name: "-zh", lang: "zh" as const },
];
const serve = `printf 'ready on port 3000\\n\\033[31mred\\033[0m \\033]0;title\\007\\033[2Jwiped\\n'; ${untilFile("go")}; echo 请求 /shop; ${untilFile("end")}`;
/** The loop that waits is of no interest. */
const replace = [[/; until \[[^│]*$/g, "; …"]] as const;

test.each(langs)(
  "[CAN-1] [TL-3] Ctrl+B moves a command to the background, where it is looked at and ended, $columns by $rows, $lang",
  async ({ name, ...more }) => {
    const script: Script = [bash("sh serve.sh"), { text: "The server runs." }];
    await using scene = await Scene.begin({ script, mode: "yolo", files: { "serve.sh": serve }, ...more });
    scene.say("start the server");
    await scene.sees("wiped");
    scene.person.press("ctrl+b");
    await scene.rests("The server runs.");
    scene.person.press("alt+j");
    await scene.sees(/^┗/);
    scene.person.press("enter");
    await scene.sees("red wiped");
    writeFileSync(join(scene.cli.workspace, "go"), "");
    await scene.sees("请求 /shop");
    await scene.frame(`job-output${name}`, { replace });
    await scene.person.resize(60, 12);
    await scene.sees("请求 /shop");
    scene.person.press("/");
    scene.person.type("port");
    scene.person.press("enter");
    await scene.sees("ready on port 3000");
    scene.person.press("q");
    await scene.sees(/^┗/);
    scene.person.press("d");
    await scene.sees(/d again|再按一次 d/);
    scene.person.press("d");
    await scene.sees(/stopped on request|已按要求结束/);
    scene.person.press("escape");
    await scene.sees(/^> (Ask|请)/);
  },
);

test("[CAN-1] Esc leaves it alone, and so it does a command that was typed with & at its end", async () => {
  const [first, second] = [newToken(), newToken()];
  await using scene = await Scene.begin({
    script: [bash(`echo here; sleep ${first}`), { text: "slow", stallAfter: 1 }],
    mode: "yolo",
  });
  scene.say(`!sleep ${second} &`);
  await scene.sees("1 in background");
  scene.say("go");
  await scene.sees("  here");
  scene.person.press("ctrl+b");
  await scene.sees("2 in background");
  await scene.sees("slow");
  scene.person.press("escape");
  await scene.sees("Cancelled by ESC");
  expect([aliveWith(first).length > 0, aliveWith(second).length > 0]).toEqual([true, true]);
  scene.say("/jobs");
  await scene.sees("Jobs and sub-agents");
  scene.person.press("escape");
  await scene.sees("> Ask anything");
  scene.person.press("ctrl+d");
  expect(await scene.person.exited).toBe(0);
  expect([...aliveWith(first), ...aliveWith(second)]).toEqual([]);
});

test("[TL-5] a sub-agent is looked at while it works, with the output of its command", async () => {
  const script: Script = [
    { when: "The job:", steps: [bash(`echo inner line; ${untilFile("go")}`), { text: "found" }] },
    {
      when: "go",
      steps: [
        { calls: [{ tool: "task", input: { kind: "general", title: "look around", prompt: "look" } }] },
        { text: "All seen." },
      ],
    },
  ];
  await using scene = await Scene.begin({ script, mode: "yolo" });
  scene.say("go");
  await scene.sees(/^ {4}inner line$/);
  scene.person.press("alt+j");
  await scene.sees("❯ Sub-agent");
  await scene.frame("jobs-sub", { replace });
  scene.person.press("enter");
  await scene.sees("inner line");
  await scene.sees("q close");
  writeFileSync(join(scene.cli.workspace, "go"), "");
  scene.person.press("q");
  await scene.sees(/^┗/);
  scene.person.press("escape");
  await scene.rests("All seen.");
  scene.person.press("alt+j");
  await scene.sees("No background jobs");
});

test("[PS-4] what ran in the background when coder was killed is ended and named when the session goes on", async () => {
  const token = newToken();
  await using scene = await Scene.begin({
    script: [bash(`echo here; sleep ${token}`), { text: "It runs." }],
    mode: "yolo",
  });
  scene.say("go");
  await scene.sees("  here");
  scene.person.press("ctrl+b");
  await scene.rests("It runs.");
  process.kill(scene.person.pid, "SIGKILL");
  await scene.person.exited;
  expect(aliveWith(token)).not.toEqual([]);
  await using again = scene.again({ args: ["--continue"], mode: "yolo" });
  await again.waitFor("was stopped because coder was killed");
  await until("it is gone", () => aliveWith(token).length === 0);
  expect(existsSync(join(scene.cli.workspace, "go"))).toBe(false);
});
