import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Cli } from "../../support/cli.ts";

let cli: Cli;
beforeAll(() => {
  cli = new Cli([{ text: "never" }]);
  cli.file("broken.json", '{\n  // a comment\n  "max_stepz": 3\n}\n');
});
afterAll(() => cli[Symbol.dispose]());

const noPrice = /price of openai-chat\/m is unknown.*"models": \{ "openai-chat\/m": \{ "price"/s;

/** arguments → what the message must say. All end with 2, write nothing to stdout, and change nothing. */
const cases: readonly (readonly [readonly string[], RegExp])[] = [
  [["run"], /no prompt was given/],
  [["run", "--nosuch", "x"], /unknown flag --nosuch/],
  [["run", "--mode", "wild", "x"], /--mode.*plan, default, auto-edit, yolo/],
  [["run", "--output", "xml", "x"], /--output must be one of text, json, stream-json/],
  [["run", "--input", "xml", "x"], /--input must be one of/],
  [["run", "--max-steps", "-3", "x"], /--max-steps/],
  [["run", "--max-steps", "ten", "x"], /--max-steps/],
  [["run", "--max-time", "0", "x"], /--max-time/],
  [["run", "--max-cost", "0", "x"], /--max-cost must be a number/],
  [["run", "--max-cost", "-1", "x"], /--max-cost needs a value/],
  [["run", "--max-cost=much", "x"], /--max-cost must be a number/],
  [["run", "--max-cost", "1", "--base-url", "http://127.0.0.1:9/v1", "--model", "openai-chat/m", "x"], noPrice],
  [["run", "--cwd", "/no/such/folder", "x"], /--cwd.*\/no\/such\/folder/s],
  [["run", "--add-dir", "/no/such/folder", "--", "x"], /--add-dir/],
  [["run", "--model", "nonsense", "x"], /provider\/name/],
  [["run", "--model", "nosuch/x", "x"], /nosuch/],
  [["run", "--base-url", "ftp://x", "--model", "openai-chat/m", "x"], /--base-url/],
  [["run", "--config", "missing.json", "x"], /missing\.json/],
  [["run", "--config", "broken.json", "x"], /broken\.json.*3.*max_stepz/s],
  [["run", "--lang", "xx", "x"], /--lang/],
  [["run", "--resume", "../../etc/passwd", "x"], /No session|No model/],
  [["run", "--mod", "plan", "x"], /did you mean --mode/],
  [["run", "--cwd", "--mode", "plan"], /--cwd needs a value/],
  [["run", "--continue=yes", "x"], /--continue takes no value/],
  [["run", "--mode", "plan", "--mode", "yolo", "x"], /--mode was given twice/],
  [["sessions", "extra"], /unknown command coder sessions extra; available: list, rm, prune/],
  [["run", "x"], /No model is configured/],
  [["run", "/nosuch"], /Unknown command \/nosuch/],
  [["run", "/"], /Nothing after \//],
  [["run", "!"], /Nothing after !/],
  [["run", "/mode", "wild"], /unknown mode wild/],
  [["run", "/permissions", "wild"], /unknown preset wild/],
  [["run", "/help", "me"], /does not take me/],
  [["tool"], /missing argument/],
  [["tool", "nosuch", "{}"], /no tool named nosuch/],
  [["tool", "read", "{"], /not valid JSON/],
  [["tool", "read", '{"path":1}'], /invalid arguments for read/],
  [["tool", "read", '{"path":"x","more":1}'], /invalid arguments for read/],
  [["replay"], /missing argument/],
  [["replay", "nope"], /No session nope/],
  [["frobnicate"], /unknown command frobnicate/],
  [["--nosuch"], /unknown flag --nosuch/],
];

describe("bad input gives a message, exit code 2, nothing on stdout, and changes nothing:", () => {
  for (const [args, message] of cases) {
    test(`[ER-2] [SU-2] coder ${args.join(" ")}`, async () => {
      const ran = await cli.run(args);
      expect(`${ran.code} ${ran.out}`).toBe("2 ");
      expect(ran.err).toMatch(message);
      expect(ran.err).not.toMatch(/\bE_[A-Z]/);
      expect(ran.err).not.toContain("    at ");
      expect(existsSync(`${cli.workspace}/.coder`)).toBe(false);
    });
  }
});

test("[SU-4] the same message in Chinese", async () => {
  const ran = await cli.run(["run", "x", "--lang", "zh"]);
  expect(ran.err).toContain("尚未配置模型");
});

test("[CLI-3] every subcommand has --help with an example", async () => {
  for (const args of [
    ["--help"],
    ["run", "--help"],
    ["tool", "--help"],
    ["sessions", "--help"],
    ["replay", "--help"],
  ]) {
    const ran = await cli.run(args);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("Example:\n  coder ");
  }
});

test("without a model, coder alone explains what is there and how to add one", async () => {
  const ran = await cli.run([]);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("No model is configured.");
  expect(ran.out).toContain("--base-url URL --model openai-chat/NAME");
});
