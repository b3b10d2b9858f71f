import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Cli } from "../../support/cli.ts";

let cli: Cli;
beforeAll(() => {
  cli = new Cli([{ text: "never" }]);
  cli.file("broken.json", '{\n  // a comment\n  "max_stepz": 3\n}\n');
});
afterAll(() => cli[Symbol.dispose]());

const noPrice = /price of openai-chat\/m is not known.*"models": \{ "openai-chat\/m": \{ "price"/s;

/** arguments → what the message must say. All end with 2, write nothing to stdout, and change nothing. */
const cases: readonly (readonly [readonly string[], RegExp])[] = [
  [["run"], /no prompt was given/],
  [["run", "--nosuch", "x"], /no flag --nosuch/],
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
  [["run", "--resume", "../../etc/passwd", "x"], /no session|No model/],
  [["run", "--mod", "plan", "x"], /did you mean --mode/],
  [["run", "--cwd", "--mode", "plan"], /--cwd needs a value/],
  [["run", "--continue=yes", "x"], /--continue takes no value/],
  [["run", "--mode", "plan", "--mode", "yolo", "x"], /--mode was given twice/],
  [["sessions", "extra"], /there is no coder sessions extra; there are list, rm and prune/],
  [["run", "x"], /No model is configured/],
  [["run", "/nosuch"], /There is no command \/nosuch/],
  [["run", "/"], /Nothing after \//],
  [["run", "!"], /Nothing after !/],
  [["run", "/mode", "wild"], /there is no mode wild/],
  [["run", "/permissions", "wild"], /there is no preset wild/],
  [["run", "/help", "me"], /does not take: me/],
  [["tool"], /an argument is missing/],
  [["tool", "nosuch", "{}"], /no tool named nosuch/],
  [["tool", "read", "{"], /not valid JSON/],
  [["tool", "read", '{"path":1}'], /arguments of read are not valid/],
  [["tool", "read", '{"path":"x","more":1}'], /arguments of read are not valid/],
  [["replay"], /an argument is missing/],
  [["replay", "nope"], /no session nope/],
  [["frobnicate"], /no command frobnicate/],
  [["--nosuch"], /no flag --nosuch/],
];

describe("bad input gives a message, exit code 2, nothing on stdout, and changes nothing:", () => {
  for (const [args, message] of cases) {
    test(`[ER-2] [SU-2] coder ${args.join(" ")}`, async () => {
      const ran = await cli.run(args);
      expect(`${ran.code} ${ran.out}`).toBe("2 ");
      expect(ran.err).toMatch(message);
      expect(ran.err).toMatch(/\(E_(INVALID_ARGS|CONFIG)/);
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
