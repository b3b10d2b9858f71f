import { describe, expect, test } from "bun:test";
import { Bench } from "../support/engine.ts";

const said = "Make add right. Then run the tests.";

const rows: readonly (readonly [said: string, command: string, isAsked: boolean])[] = [
  [said, "node --test add.test.js", false],
  [said, "node --test add.test.js 2>&1 | tail -5", false],
  [said, "node_modules/.bin/tape test/index.js", false],
  [said, "pytest tests/test_a.py -q", false],
  [said, 'node --test add.test.js > /tmp/out.txt 2>&1; echo "exit $?"; tail -5 /tmp/out.txt', false],
  ["改好 add，然后运行测试。", "node --test add.test.js", false],
  ["Make add right.", "node --test add.test.js", true],
  ["Make add right. Do not run the tests.", "node --test add.test.js", true],
  [said, "node add.js", true],
  [said, "node --test add.test.js; touch x", true],
  [said, "node --test add.test.js > add.js", true],
  [said, "go test -exec ./x ./...", true],
  [said, "npm run deploy", true],
];

describe("in default mode, tests that the person has asked for", () => {
  for (const [words, command, isAsked] of rows)
    test(`[VF-1] [PO-1] after ${JSON.stringify(words)}, ${command} is ${isAsked ? "" : "not "}asked about`, async () => {
      await using bench = new Bench([{ calls: [{ tool: "bash", input: { command } }] }, { text: "done" }]);
      bench.file("add.js", "exports.add = (a, b) => a + b;\n");
      bench.file("add.test.js", 'require("node:test")("adds", () => {});\n');
      const seat = bench.open({ mode: "default" }, { interactive: true });
      await seat.engine.runInput(words);
      await seat.until(
        (one) => one.kind === "event" && (one.state.run.phase === "awaiting_human" || one.state.task.phase === "DONE"),
      );
      expect(seat.last("tool.decided").decision).toBe(isAsked ? "ask" : "allow");
      seat.engine.cancel("client");
      await seat.engine.idle();
    });

  test("[PO-8] where nothing holds them, they are asked about", async () => {
    const command = "node --test add.test.js";
    await using bench = new Bench([{ calls: [{ tool: "bash", input: { command } }] }, { text: "done" }]);
    const seat = bench.open({ mode: "default" }, { interactive: true, config: { sandbox: { use: "off" } } });
    await seat.engine.runInput(said);
    await seat.until(
      (one) => one.kind === "event" && (one.state.run.phase === "awaiting_human" || one.state.task.phase === "DONE"),
    );
    expect(seat.last("tool.decided").decision).toBe("ask");
    seat.engine.cancel("client");
    await seat.engine.idle();
  });
});
