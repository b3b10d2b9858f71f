// What a person gets to see of how a task ended, and what proves it.
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";
import { commitAll } from "../../support/repository.ts";

const good = 'require("node:test")("adds", () => {});\n';
const bad = 'require("node:test")("adds", () => require("node:assert").equal(1, 2));\n';
const write = (content: string) => ({ calls: [{ tool: "write", input: { path: "a.test.js", content } }] });
const config = {
  workflow: { verify_allowed: ["node --test"], verify_commands: ["node --test"], max_verify_attempts: 1 },
};

function checked(script: ConstructorParameters<typeof Cli>[0]): Cli {
  const cli = new Cli(script);
  mkdirSync(cli.home);
  writeFileSync(join(cli.home, "config.json"), JSON.stringify(config));
  return cli;
}

describe("how a task ended", () => {
  test("[VF-6] [SU-1] VERIFIED names the command and what it counted, on stderr", async () => {
    using cli = checked([write(good), { text: "done" }]);
    const ran = await cli.run(["run", ...cli.model, "--mode", "auto-edit", "go"]);
    expect([ran.code, ran.out]).toEqual([0, "done\n"]);
    expect(ran.err).toMatch(/^create a\.test\.js\nVERIFIED by node --test: .*1 passed/m);
  });

  test("[VF-6] [SU-1] FAILED names file, line and message", async () => {
    using cli = checked([write(bad), { text: "done" }]);
    const ran = await cli.run(["run", ...cli.model, "--mode", "auto-edit", "go"]);
    expect([ran.code, ran.out]).toEqual([1, "done\n"]);
    expect(ran.err).toMatch(/^FAILED: node --test: .*1 failed\na\.test\.js:1: adds: /m);
    using other = checked([write(bad), { text: "done" }]);
    const json = await other.run(["run", ...other.model, "--mode", "auto-edit", "--output", "json", "go"]);
    expect(JSON.parse(json.out)).toMatchObject({
      outcome: "FAILED",
      summary: { verification: { status: "fail", results: [{ details: [{ file: "a.test.js", line: 1 }] }] } },
    });
  });

  test("[SM-7] [SU-2] questions that nobody can answer are the result: exit code 6, in text and JSON", async () => {
    const question = {
      calls: [{ tool: "question", input: { questions: [{ question: "Which one?", options: ["a", "b"] }] } }],
    };
    using cli = new Cli([question, { text: "never" }]);
    const ran = await cli.run(["run", ...cli.model, "go"]);
    expect([ran.code, ran.out]).toEqual([6, "1. Which one?\n   - a\n   - b\n"]);
    expect(ran.err).toMatch(/coder run --resume \S+ "YOUR ANSWER"/);
    const json = await cli.run(["run", ...cli.model, "--output", "json", "go"]);
    expect(JSON.parse(json.out)).toMatchObject({
      exit_code: 6,
      stop_reason: "NEEDS_ANSWER",
      summary: { questions: [{ question: "Which one?", options: ["a", "b"] }] },
    });
  });

  const ask = { calls: [{ tool: "question", input: { questions: [{ question: "Which one?" }] } }] };
  const risky = { text: "[PLAN]\n1. [ ] delete everything in build/ (tools: bash)\n2. [ ] write b.txt (tools: write)" };
  const left: readonly (readonly [what: string, text: string, step: object, event: string, code: number])[] = [
    ["what a task is about", "fix it", {}, "task.assessed", 6],
    ["a question of the model", "go", ask, "tool.decided", 6],
    ["a plan", "1. delete everything in build/\\n2. write b.txt", risky, "plan.settled", 4],
  ];
  for (const [what, text, step, event, code] of left) {
    test(`[SM-7] a client that leaves behind ${what} to be answered gets an end, and nothing hangs`, async () => {
      using cli = new Cli([step, step, { text: "late" }]);
      const args = ["run", ...cli.model, "--input", "stream-json", "--output", "stream-json"];
      const child = cli.start(args, { stdin: "pipe" });
      child.stdin?.write(`{"type":"input","text":"${text}"}\n`);
      const lines = new Lines(child.stdout);
      await lines.event(event);
      await child.stdin?.end();
      await lines.drain();
      expect(await child.exited).toBe(code);
      expect(
        lines.all.filter((line) => line.type === "event").map((line) => (line.event as { type: string }).type),
      ).not.toContain("internal.reported");
    });
  }
});

describe("calls that a person asked for by a command", () => {
  test("[SL-2] [SU-1] /diff: text is the diff and nothing else, JSON holds the structured value", async () => {
    using cli = new Cli([]);
    cli.file("a.ts", "one\n");
    cli.file(".gitignore", ".coder/\n");
    commitAll(cli.workspace);
    cli.file("a.ts", `${"long line ".repeat(20)}\n`.repeat(500));
    cli.file("b.ts", "x\n");
    const text = await cli.run(["run", "/diff"]);
    expect([text.code, text.err]).toEqual([0, ""]);
    // More than a model would be shown of it.
    expect(text.out.length).toBeGreaterThan(100_000);
    expect(text.out.startsWith(" a.ts | ")).toBe(true);
    expect(text.out.endsWith("\n\nUntracked:\n  b.ts\n")).toBe(true);
    const json = await cli.run(["run", "--output", "json", "/diff"]);
    expect(JSON.parse(json.out)).toMatchObject({
      type: "result",
      command: { data: { exit_code: 0, files: [{ path: "a.ts", change: "modify" }], untracked: ["b.ts"] } },
    });
  });

  test("[SL-3] [SU-1] /review: text is lines, JSON the findings", async () => {
    const found = { severity: "high", file: "a.ts", line: 1, problem: "wrong\nway", suggestion: "turn" };
    using cli = new Cli([{ text: JSON.stringify({ findings: [found, { ...found, line: 9 }] }) }]);
    cli.file("a.ts", "one\n");
    commitAll(cli.workspace);
    cli.file("a.ts", "two\n");
    const text = await cli.run(["run", ...cli.model, "/review"]);
    expect(text).toMatchObject({ code: 0, err: "" });
    expect(text.out).toBe(
      "high     a.ts:1: wrong\n           way\n         → turn\n(1 findings did not point at a changed line and were dropped)\n",
    );
    const json = await cli.run(["run", ...cli.model, "--output", "json", "/review"]);
    expect(JSON.parse(json.out)).toMatchObject({ structured: { findings: [found], dropped: 1 } });
  });

  test("[RB-1] [ER-2] a call that fails is told on stderr in the person's language, with stdout empty", async () => {
    using cli = new Cli([]);
    const ran = await cli.run(["run", "--lang", "zh", "/undo"]);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain("没有可撤销的内容");
  });
});
