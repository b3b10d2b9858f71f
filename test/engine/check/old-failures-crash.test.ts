// VF-5: a look at how it was before the task leaves nothing behind, however it ends.
import { expect, test } from "bun:test";
import { globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";

const head =
  'const { test } = require("node:test");\nconst assert = require("node:assert");\nconst fs = require("node:fs");\n';
/** On the files of before it waits for ever, as long as it is told to. */
const waiting = `${head}test("fine", () => {});\ntest("old", async () => {\n  if (!fs.existsSync(["n", "ew.js"].join("")) && fs.existsSync("wait")) await new Promise(() => setTimeout(() => {}, 600_000));\n  assert.strictEqual(1, 2);\n});\n`;
const steps = [
  { calls: [{ tool: "write", input: { path: "new.js", content: "exports.is = 2;\n" } }] },
  { text: "done" },
];

test("[VF-5] [PS-4] kill -9 during the second run: the task goes on when it is resumed, and no copy is left", async () => {
  using cli = new Cli(steps);
  cli.file("package.json", JSON.stringify({ scripts: { test: "node --test" } }));
  cli.file("old.test.js", waiting);
  cli.file("wait", "");
  const copies = () => globSync("sandbox/*/before-*", { cwd: cli.home });
  const names = readdirSync(cli.workspace);
  const run = ["run", ...cli.model, "--mode", "auto-edit", "--output", "stream-json"];
  const child = cli.start([...run, "write new.js"]);
  const lines = new Lines(child.stdout);
  const pids = new Set<string>();
  await lines.until((line) => {
    const text = JSON.stringify(line);
    if (text.includes('"process.spawned"')) pids.add(/"pid":\d+/.exec(text)?.[0] ?? "");
    return pids.size === 2;
  });
  expect(copies().length).toBe(1);
  child.kill("SIGKILL");
  await child.exited;
  rmSync(join(cli.workspace, "wait"));
  const [{ id }] = JSON.parse((await cli.run(["sessions", "--json"])).out) as [{ id: string }];
  const resumed = await cli.run(["run", ...cli.model, "--mode", "auto-edit", "--output", "json", "--resume", id]);
  const { summary } = JSON.parse(resumed.out) as { summary: { outcome: string } };
  expect([resumed.code, summary.outcome, copies()]).toEqual([0, "VERIFIED", []]);
  const left = readdirSync(cli.workspace).filter((name) => name !== ".coder");
  expect(left.sort()).toEqual([...names.filter((name) => name !== "wait"), "new.js"].sort());
});
