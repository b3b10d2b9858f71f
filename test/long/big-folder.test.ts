import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { callWithPeak, type Peak } from "../tool/peak.ts";
import { makeWorkspace, type Workspace } from "../tool/workspace.ts";

const count = 1_000_000;
const name = (index: number): string => `f${String(index).padStart(7, "0")}.txt`;

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
  mkdirSync(ws.path("many"));
  for (let index = 0; index < count; index++) closeSync(openSync(ws.path(`many/${name((index * 7919) % count)}`), "w"));
  ws.put(`many/${name(654_321)}`, "needle\n");
}, 600_000);
afterAll(() => ws[Symbol.dispose](), 600_000);

const call = (tool: string, input: object, cancelAfter?: number): Peak =>
  callWithPeak(ws.path("many"), tool, input, cancelAfter);

test("[TL-1] a folder with a million files is listed and searched in bounded memory, and what is left out is counted", () => {
  const list = call("list", {});
  const listed = list.text.split("\n");
  expect([listed.length, listed[0], listed[499], listed[500]]).toEqual([
    ...[501, name(0), name(499), `(${count - 500} more entries not shown)`],
  ]);
  const glob = call("glob", { pattern: "*" });
  const globbed = glob.text.split("\n");
  expect([globbed.length, globbed[0], globbed[199], globbed[200]]).toEqual([
    ...[201, name(0), name(199), `(${count - 200} more not shown; narrow the pattern)`],
  ]);
  const grep = call("grep", { pattern: "needle" });
  expect(grep.text).toBe(`${name(654_321)}:1:needle`);
  // The names of one folder alone take 90 MB; nothing else may grow with it.
  expect([list.megabytes < 200, glob.megabytes < 120, grep.megabytes < 120]).toEqual([true, true, true]);
}, 600_000);

for (const [tool, input] of [
  ["list", {}],
  ["glob", { pattern: "*" }],
  ["grep", { pattern: "needle" }],
] as const) {
  for (const after of [50, 300]) {
    test(`[CAN-1] a ${tool} of a million files cancelled after ${after} ms answers within 200 ms`, () => {
      const { text, cancelMs } = call(tool, input, after);
      expect(text).toStartWith("E_CANCELLED");
      expect(cancelMs).toBeLessThan(200);
    }, 600_000);
  }
}

test("[TL-1] a text of 1 GiB is searched to its end and read at its end in bounded memory", () => {
  const fd = openSync(ws.path("huge.txt"), "w");
  const block = `${"a line of sixty-four bytes, as a log might have them, and so on"}\n`.repeat(2 ** 14);
  for (let index = 0; index < 2 ** 10; index++) writeSync(fd, block);
  writeSync(fd, "needle\n");
  closeSync(fd);
  const last = 2 ** 24 + 1;
  const grep = callWithPeak(ws.root, "grep", { path: "huge.txt", pattern: "needle" });
  const read = callWithPeak(ws.root, "read", { path: "huge.txt", offset: last });
  expect([grep.text, read.text.split("\n")[0]]).toEqual([`huge.txt:${last}:needle`, `${last}\tneedle`]);
  expect([grep.megabytes < 120, read.megabytes < 120]).toEqual([true, true]);
}, 600_000);
