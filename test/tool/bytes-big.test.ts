import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, ftruncateSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { edit } from "../../src/tool/edit/edit.ts";
import { write } from "../../src/tool/edit/write.ts";
import { callWithPeak, type Peak } from "./peak.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

/** What the tool says, once it is known to have stayed small. */
function bounded({ text, megabytes }: Peak, limit = 120): string {
  expect(megabytes).toBeLessThan(limit);
  return text;
}

describe.skipIf(process.platform !== "linux")("[TL-1] a file of 1 GiB", () => {
  const gib = 2 ** 30;
  beforeAll(() => {
    const fd = openSync(ws.path("huge.txt"), "w");
    writeSync(fd, "first\n".repeat(2000));
    ftruncateSync(fd, gib);
    writeSync(fd, "\nmiddle\n", gib / 2, "utf8");
    writeSync(fd, "\nlast\n", gib - 6, "utf8");
    closeSync(fd);
  });
  const note = "(1.0 GiB: too big for edit and write; change it with a shell command)";

  for (const [offset, shown] of [
    [1, `1\tfirst\n(lines 1-1 of 1.0 GiB; continue with offset=2)\n${note}`],
    [2002, `2002\tmiddle\n(lines 2002-2002 of 1.0 GiB; continue with offset=2003)\n${note}`],
    [2004, `2004\tlast\n${note}`],
    [2005, "E_INVALID_ARGS: huge.txt has 2004 lines; offset 2005 is past the end"],
  ] as const) {
    test(`is read at line ${offset} in less than 120 MB`, () => {
      expect(bounded(callWithPeak(ws.root, "read", { path: "huge.txt", offset, limit: 1 }))).toBe(shown);
    });
  }

  test("is searched up to its first NUL byte, which the result says", () => {
    expect(bounded(callWithPeak(ws.root, "grep", { path: "huge.txt", pattern: "last" }))).toBe(
      "(no matches)\n(files with matches searched only up to their first NUL byte: 1)",
    );
  });

  test("is neither edited nor replaced, and nothing about it changes", async () => {
    const before = statSync(ws.path("huge.txt"), { bigint: true });
    const refused =
      "E_INVALID_ARGS: huge.txt is too large for this tool to change (1.0 GiB; the limit is 64 MiB)\nUse a shell command for it.";
    const more = { readsByItself: true };
    expect(told(await ws.plan(edit, { path: "huge.txt", old_string: "first", new_string: "x" }, more))).toBe(refused);
    expect(told(await ws.plan(write, { path: "huge.txt", content: "" }, more))).toBe(refused);
    const { ino, size, mtimeNs } = statSync(ws.path("huge.txt"), { bigint: true });
    expect([ino, size, mtimeNs]).toEqual([before.ino, before.size, before.mtimeNs]);
  });

  test("new content over the limit is refused before anything is written", async () => {
    expect(told(await ws.plan(write, { path: "new.txt", content: "x".repeat(64 * 2 ** 20 + 1) }))).toStartWith(
      "E_INVALID_ARGS: new.txt is too large",
    );
  });
});

describe.skipIf(process.platform !== "linux")("[TL-1] a folder with 50,000 files", () => {
  const count = 50_000;
  const name = (index: number): string => `f${String(index).padStart(7, "0")}.txt`;
  beforeAll(() => {
    mkdirSync(ws.path("many/.ignored"), { recursive: true });
    // In no order that a sort could be mistaken for.
    for (let index = 0; index < count; index++)
      closeSync(openSync(ws.path(`many/${name((index * 7919) % count)}`), "w"));
    ws.put("many/.gitignore", ".ignored/\n*9.txt\n");
    ws.put("many/.ignored/x", "needle\n");
    ws.put(`many/${name(41_111)}`, "needle\n");
    ws.put(`many/${name(41_119)}`, "needle\n");
  }, 120_000);
  const call = (tool: string, input: object, cancelAfter?: number): Peak =>
    callWithPeak(ws.path("many"), tool, input, cancelAfter);

  test("is listed: the first 500 in order, and how many more", () => {
    const lines = bounded(call("list", {})).split("\n");
    const first = [".gitignore", ".ignored/", ...Array.from({ length: 498 }, (_, index) => name(index))];
    expect(lines).toEqual([...first, `(${count + 2 - 500} more entries not shown)`]);
  });

  test("is searched for names: the first 200 that are not ignored, and how many more", () => {
    const lines = bounded(call("glob", { pattern: "*" })).split("\n");
    const kept = Array.from({ length: 300 }, (_, index) => name(index)).filter((one) => !one.endsWith("9.txt"));
    expect(lines).toEqual([
      ".gitignore",
      ...kept.slice(0, 199),
      `(${(count * 9) / 10 + 1 - 200} more not shown; narrow the pattern)`,
    ]);
  });

  test("is searched for text, ignored files left out", () => {
    expect(bounded(call("grep", { pattern: "needle" }))).toBe(`${name(41_111)}:1:needle`);
  });

  for (const [tool, input] of [
    ["list", {}],
    ["glob", { pattern: "*" }],
    ["grep", { pattern: "needle" }],
  ] as const) {
    test(`a cancelled ${tool} does nothing more that takes long`, () => {
      const { text, cancelMs } = call(tool, input, 1);
      expect(text).toStartWith("E_CANCELLED");
      // Next to all that is left to do; test/long has the limit itself.
      expect(cancelMs).toBeLessThan(1000);
    });
  }
});
