import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { list } from "../../../src/tool/search/list.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const show = async (input: object): Promise<string> => told(await ws.run(list, input));

test("entries are sorted, hidden ones included, folders and links marked, nothing below", async () => {
  ws.put("b.txt", "");
  ws.put("a/deep/x", "");
  ws.put(".hidden", "");
  ws.put(".gitignore", "b.txt\n");
  symlinkSync("../outside", ws.path("link"));
  expect(await show({})).toBe(".gitignore\n.hidden\na/\nb.txt\nlink -> ../outside");
  expect(await show({ path: "a" })).toBe("deep/");
});

test("a .coder with nothing in it but what coder writes is left out at the top, and nowhere else", async () => {
  using own = makeWorkspace();
  own.put(".coder/sessions/s1.json", "");
  own.put(".coder/output/x", "");
  own.put("a/.coder/sessions/s1.json", "");
  own.put("a/b.txt", "");
  expect(told(await own.run(list, {}))).toBe("a/");
  expect(told(await own.run(list, { path: "a" }))).toBe(".coder/\nb.txt");
  expect(told(await own.run(list, { path: ".coder" }))).toBe("output/\nsessions/");
  own.put(".coder/skills/mine/SKILL.md", "");
  expect(told(await own.run(list, {}))).toBe(".coder/\na/");
});

test("hostile names take one line and show their control characters", async () => {
  ws.put("odd/x\ny\x1b[2J", "");
  symlinkSync("a\nb", ws.path("odd/z"));
  expect(await show({ path: "odd" })).toBe("x\\ny\\u001b[2J\nz -> a\\nb");
});

test("at most 500 entries are shown, and the rest is counted", async () => {
  mkdirSync(ws.path("many"));
  for (let index = 0; index < 503; index++) writeFileSync(ws.path(`many/${String(index).padStart(3, "0")}`), "");
  const lines = (await show({ path: "many" })).split("\n");
  expect([lines.length, lines[0], lines[499], lines[500]]).toEqual([501, "000", "499", "(3 more entries not shown)"]);
});

test("an empty folder, a file, nothing at all, a place outside", async () => {
  mkdirSync(ws.path("empty"));
  expect(await show({ path: "empty" })).toBe("(empty folder)");
  expect(await show({ path: "b.txt" })).toBe(
    "E_INVALID_ARGS: b.txt is not a folder\nUse read for a file, or give the folder it is in.",
  );
  expect(await show({ path: "nope" })).toBe("E_IO: nope does not exist");
  expect(await show({ path: ".." })).toStartWith("E_POLICY_DENIED");
  expect(await show({ path: "/" })).toStartWith("E_POLICY_DENIED");
});

test("an added folder can be listed", async () => {
  const other = makeWorkspace();
  try {
    other.put("x", "");
    expect(told(await ws.run(list, { path: other.root }, { addDirs: [other.root] }))).toBe("x");
    expect(await show({ path: other.root })).toStartWith("E_POLICY_DENIED");
  } finally {
    other[Symbol.dispose]();
  }
});
