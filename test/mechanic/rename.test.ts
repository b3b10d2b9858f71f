import { expect, test } from "bun:test";
import { playIn, type World } from "./world.ts";

const before = `from m import total, total_of

# total of all
def subtotal(total):
	print("total", f"{total} total", 'it is total')
	return total + total_of(total)
`;
const after = `from m import sum_, total_of

# total of all
def subtotal(sum_):
	print("total", f"{sum_} total", 'it is total')
	return sum_ + total_of(sum_)
`;

const worldOf = (files: Record<string, string>, more: Partial<World> = {}): World => ({
  files: new Map(Object.entries(files)),
  check: () => "",
  ...more,
});

test("renames whole names in code, and neither parts of names nor words in strings and comments", () => {
  const world = worldOf({ "a.py": before, "README.md": "total\n" });
  const { text } = playIn(world, "rename total to sum_");
  expect(world.files.get("a.py")).toBe(after);
  expect(world.files.get("README.md")).toBe("total\n");
  expect(text).toBe(
    "Renamed total to sum_: 5 places in a.py. I treated every total as the same thing; strings, comments and other files were not changed.\n\nAlso mentioned in: README.md",
  );
});

test("changes nothing where the new name is used already, or is none", () => {
  for (const request of ["rename total to total_of", "rename total to return", "把 total 重命名为 class"]) {
    const world = worldOf({ "a.py": before });
    const { asks } = playIn(world, request);
    expect(asks.filter(({ tool }) => tool === "edit")).toEqual([]);
    expect(world.files.get("a.py")).toBe(before);
  }
});

test("takes all back when one of several files may not be changed", () => {
  const instead: World["instead"] = ({ tool, input }) =>
    tool === "edit" && input.path === "b.py" ? "E_POLICY_DENIED: no" : null;
  const world = worldOf({ "a.py": before, "b.py": before }, { instead });
  const { text } = playIn(world, "rename total to sum_");
  expect(text).toBe("A file could not be changed: E_POLICY_DENIED: no");
  expect([...world.files]).toEqual([
    ["a.py", before],
    ["b.py", before],
  ]);
});

test("finds definitions, usages and notes, and tells them apart", () => {
  const files = { "a.js": "function parse(x) {\n  return x; // TODO: more\n}\nparse(1);\nreparse(2);\n" };
  const say = (request: string) => playIn(worldOf(files), request).text;
  expect(say("where is parse defined?")).toBe("1 found:\na.js:1: function parse(x) {");
  expect(say("find usages of parse")).toBe("1 found:\na.js:4: parse(1);");
  expect(say("list TODOs")).toBe("1 found:\na.js:2: return x; // TODO: more");
  expect(say("absent 在哪里定义")).toBe("没有找到 absent。");
});

test("a search that failed or was cut is not taken for all there is", () => {
  const cut = "a.py:1:from m import total\n[… 900 characters left out …]\nz.py:1:total";
  const more = "a.py:1:from m import total\n(more than 2000 matches; narrow the search)";
  const say = (answer: string, request: string) => {
    const world = worldOf({ "a.py": before }, { instead: ({ tool }) => (tool === "grep" ? answer : null) });
    const { text } = playIn(world, request);
    expect(world.files.get("a.py")).toBe(before);
    return text;
  };
  for (const answer of [cut, more])
    expect(say(answer, "rename total to sum_")).toBe(
      "total occurs too often for me: the list of places is too long. Nothing was changed.",
    );
  expect(say("E_TIMEOUT: too slow", "rename total to sum_")).toBe("I could not search for total: E_TIMEOUT: too slow");
  expect(say("E_TIMEOUT: too slow", "list TODOs")).toStartWith("I could not search for TODO");
  expect(say(cut, "find usages of total")).toStartWith("2+ found:\n");
});

test("renames nothing where one of the files cannot be read as a whole", () => {
  const instead: World["instead"] = ({ tool, input }) =>
    tool === "read" && input.path === "b.py" ? "1\ttotal = 1\n(encoding: gbk)" : null;
  const world = worldOf({ "a.py": before, "b.py": "total = 1\n" }, { instead });
  expect(playIn(world, "rename total to sum_").text).toStartWith(
    "total occurs in files that I could not read completely (b.py)",
  );
  expect(world.files.get("a.py")).toBe(before);
});

test("renames a name that begins with a character that is no part of a word", () => {
  const world = worldOf({ "a.js": "const $total = 1;\nuse($total, total);\n" });
  playIn(world, "rename $total to $sum");
  expect(world.files.get("a.js")).toBe("const $sum = 1;\nuse($sum, total);\n");
});

test("a diff that was cut, and files that git does not know, are part of the summary", () => {
  const diff = "exit code 0\ndiff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-a\n+b";
  const say = (changed: string, fresh: string) =>
    playIn(
      worldOf({}, { instead: ({ input }) => (String(input.command).startsWith("git diff") ? changed : fresh) }),
      "summarise the diff",
    ).text;
  expect(say("exit code 0", "exit code 0")).toBe("Nothing has changed since the last commit.");
  expect(say("exit code 0", "exit code 0\nnew.py\n新.py")).toBe("2 files are new to git: new.py, 新.py");
  expect(say(`${diff}\n[… 9 characters left out …]`, "exit code 0")).toBe(
    "1 files changed, +1 −1:\n- m.py +1 −1\n\nThe diff was too long for me: I counted only its beginning and end, so there is more.",
  );
});
