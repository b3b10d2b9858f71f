import { expect, test } from "bun:test";
import { saidBlock } from "../../../../src/surface/tui/blocks/said.ts";
import { bare, problemsIn, rowsOf, Telling } from "../telling.ts";

const log = Array.from({ length: 500 }, (_, n) => `12:00:${n} GET /index.html 200`);
const said = (text: string, width = 80) => {
  const { look } = new Telling({ width });
  const block = saidBlock(look, { kind: "task", text });
  const lines = block.take();
  expect(problemsIn(lines, width)).toEqual([]);
  return { lines: bare(lines), whole: rowsOf(block.detail, width) };
};

test("[SU-3] of a pasted log both ends stand there, so that the question does: before it or behind it", () => {
  const before = said(`why is this slow?\n${log.join("\n")}`);
  expect(before.lines[0]).toBe("> why is this slow?");
  const behind = said(`${log.join("\n")}\n\nwhy is this slow?`);
  expect(behind.lines).toEqual([
    ...["> 12:00:0 GET /index.html 200", ...log.slice(1, 5).map((line) => `  ${line}`), "  … +494 lines"],
    ...[`  ${log.at(-1)}`, "", "  why is this slow?"],
  ]);
  expect(behind.whole.length).toBe(502);
});

test("[SU-3] lines of any length take a few rows, at both ends", () => {
  const long = "word ".repeat(2_000);
  expect(said(Array(30).fill(long).join("\n"), 40).lines.length).toBeLessThanOrEqual(17);
  expect(said(long, 40).lines.at(-1)).toContain("characters");
  expect(said(`${"x".repeat(9_000)}\n${"y\n".repeat(20)}why?`, 40).lines.at(-1)).toBe("  why?");
});
