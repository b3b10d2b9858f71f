// VF-5: failures that were there before the task are told apart without configuration.
import { describe, expect, test } from "bun:test";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Bench, type Seat } from "../../support/engine.ts";
import { commitAll } from "../../support/repository.ts";

const config = { workflow: { verify_allowed: ["node --test"], max_verify_attempts: 1 } };
const manifest = JSON.stringify({ scripts: { test: "node --test" } });
const head = 'const { test } = require("node:test");\nconst assert = require("node:assert");\n';
const failing = `${head}test("old", () => {\n  assert.strictEqual(1, 2);\n});\n`;
const about = (file: string, expected: string) =>
  `${head}test("about ${file}", () => assert.strictEqual(require("./${file}").is, ${expected}));\n`;
const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const done = { text: "done" };

function fill(bench: Bench, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(bench.workspace, path)), { recursive: true });
    writeFileSync(join(bench.workspace, path), text);
  }
}

const project = {
  "package.json": manifest,
  "old.test.js": failing,
  "new.test.js": about("new.js", "2"),
  "fine.test.js": `${head}test("fine", () => {});\n`,
};
const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const result = (seat: Seat) => seat.last("check.judged").result;
const copies = (bench: Bench) => globSync("sandbox/*/before-*", { cwd: bench.home });

async function ran(
  bench: Bench,
  { mode = "auto-edit", text = "write new.js" }: { mode?: "auto-edit" | "yolo"; text?: string } = {},
): Promise<Seat> {
  const seat = bench.open({ mode }, { config });
  await seat.run(text);
  return seat;
}

describe("a check that fails", () => {
  for (const mode of ["auto-edit", "yolo"] as const)
    test(`[VF-5] in ${mode}: an old failure is named and not the task's, and what the task broke is its own`, async () => {
      for (const [value, outcome] of [
        ["2", "VERIFIED"],
        ["3", "FAILED"],
      ] as const) {
        await using bench = new Bench([write("new.js", `exports.is = ${value};\n`), done]);
        fill(bench, project);
        const seat = await ran(bench, { mode });
        expect([summaryOf(seat).outcome, result(seat).old?.map(({ test: name }) => name)]).toEqual([outcome, ["old"]]);
        expect(result(seat).summary).toContain("also failed before the task");
        expect([copies(bench), readFileSync(join(bench.workspace, "new.js"), "utf8")]).toEqual([
          [],
          `exports.is = ${value};\n`,
        ]);
      }
    });

  test("[VF-5] a test that has to do with what the task changed is not excused, though it failed in the same words before", async () => {
    const input = { path: "new.js", old_string: "1;", new_string: "1; // fixed" };
    await using bench = new Bench([
      { calls: [{ tool: "read", input: { path: "new.js" } }] },
      { calls: [{ tool: "edit", input }] },
      done,
    ]);
    fill(bench, { ...project, "new.js": "exports.is = 1;\n" });
    const seat = await ran(bench, { text: "is should be 2" });
    expect([summaryOf(seat).outcome, result(seat).details.map(({ test: name }) => name)]).toEqual([
      "FAILED",
      ["about new.js"],
    ]);
  });

  test("[VF-5] who asks for failing tests to be repaired is told that they fail", async () => {
    await using bench = new Bench([write("new.js", "exports.is = 2;\n"), done]);
    fill(bench, project);
    const seat = await ran(bench, { text: "fix the failing tests" });
    expect(summaryOf(seat).outcome).toBe("FAILED");
  });

  test("[VF-5] installed packages, links, untracked and ignored files are there in the copy, and files the task made or removed are as before", async () => {
    const steps = [
      write("new.js", "exports.is = 2;\n"),
      { calls: [{ tool: "bash", input: { command: "rm gone.js" } }] },
      done,
    ];
    await using bench = new Bench(steps);
    // Fails alike before and after, unless the copy lacks something: then in other words.
    const all = `${head}const fs = require("node:fs");\ntest("all", () => {\n  require("dep");\n  require("linked");\n  fs.readFileSync("untracked.txt");\n  fs.readFileSync("ignored/x");\n  fs.readdirSync(".git");\n  assert.strictEqual(1, 2);\n});\n`;
    const gone = `${head}const fs = require("node:fs");\ntest("files", () => {\n  assert.ok(fs.existsSync(["g", "one.js"].join("")));\n  assert.ok(!fs.existsSync(["n", "ew.js"].join("")), "new");\n});\n`;
    fill(bench, {
      ...project,
      "all.test.js": all,
      "files.test.js": gone,
      "gone.js": "",
      "node_modules/dep/index.js": "",
      "packages/linked/index.js": "",
      "ignored/x": "",
      ".gitignore": "node_modules\nignored/\n",
    });
    symlinkSync("../packages/linked", join(bench.workspace, "node_modules/linked"));
    commitAll(bench.workspace);
    fill(bench, { "untracked.txt": "" });
    const seat = await ran(bench, { mode: "yolo" });
    expect(
      result(seat)
        .old?.map(({ test: name }) => name)
        .sort(),
    ).toEqual(["all", "old"]);
    expect(result(seat).details.map(({ test: name }) => name)).toEqual(["files"]);
    expect(existsSync(join(bench.workspace, "gone.js"))).toBe(false);
  });

  test("[VF-5] [SA-secrets] [RB-1] secrets stay hidden in the copy, and what the second run writes does not reach the workspace", async () => {
    const writes = `${head}const fs = require("node:fs");\ntest("old", () => {\n  fs.writeFileSync(fs.existsSync(["n", "ew.js"].join("")) ? "after.txt" : "before.txt", "");\n  let seen = "";\n  try { seen = fs.readFileSync(".env", "utf8"); } catch {}\n  assert.strictEqual(seen.includes("sk-"), true);\n});\n`;
    await using bench = new Bench([write("new.js", "exports.is = 2;\n"), done]);
    fill(bench, { ...project, "old.test.js": writes, ".env": "API_KEY=sk-abcdefghijklmnopqrstuvwx123456\n" });
    const seat = await ran(bench);
    expect(result(seat).old?.map(({ test: name }) => name)).toEqual(["old"]);
    expect(readdirSync(bench.workspace).filter((name) => name.endsWith(".txt"))).toEqual(["after.txt"]);
    await seat.run("/undo");
    expect(readdirSync(bench.workspace).filter((name) => /txt$|^new\.js$/.test(name))).toEqual([]);
  });

  test("[VF-5] the model's own look finds the same as the final check, and the tests of before run once", async () => {
    const look = { calls: [{ tool: "diagnostics", input: {} }] };
    await using bench = new Bench([write("new.js", "exports.is = 2;\n"), look, done]);
    fill(bench, project);
    const seat = await ran(bench);
    expect([summaryOf(seat).outcome, result(seat).reused, result(seat).old?.length]).toEqual(["VERIFIED", true, 1]);
  });

  test("[VF-5] workflow.verify_baseline: false looks at nothing", async () => {
    await using bench = new Bench([write("new.js", "exports.is = 2;\n"), done]);
    fill(bench, project);
    const workflow = { ...config.workflow, verify_baseline: false };
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("write new.js");
    expect([summaryOf(seat).outcome, result(seat).old]).toEqual(["FAILED", undefined]);
  });
});
