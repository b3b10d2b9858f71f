import { expect, test } from "bun:test";
import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { changedWords } from "../../../../src/surface/tui/blocks/changed-words.ts";
import { diffLines } from "../../../../src/surface/tui/blocks/diff.ts";
import { rowsIn } from "../../../../src/surface/tui/blocks/diff-rows.ts";
import { depthOf, groundIn, themeFor, themeOf } from "../../../../src/surface/tui/terminal/theme.ts";

const theme = themeOf("terminal", false);
const patch = `--- a/src/shop.ts
+++ b/src/shop.ts
@@ -8,3 +8,4 @@ export
 export function shipping(sum) {
-  return sum > 50 ? 0 : 5;
+  return sum >= 50 ? 0 : 5;
+  // free from 50 on
 }
@@ -30 +31 @@
-const name = "old";
+const name = "new";
`;

test("[SU-3] a diff has numbers, signs and the parts that changed", () => {
  const lines = diffLines(patch, 60, theme);
  expect(lines.map(stripTerminalSequences)).toEqual([
    "src/shop.ts",
    " 8   export function shipping(sum) {",
    " 9 -   return sum > 50 ? 0 : 5;",
    " 9 +   return sum >= 50 ? 0 : 5;",
    "10 +   // free from 50 on",
    "11   }",
    "   ⋮",
    '30 - const name = "old";',
    '31 + const name = "new";',
  ]);
  expect(lines.at(-1)).toContain(theme.addedPart("new"));
});

test("[SU-3] [SA-terminal-escapes] what a file holds cannot draw, and no line is too wide", () => {
  const hostile = `--- a/x\n+++ b/\u001b[2Jx\n@@ -1 +1 @@\n-${"a".repeat(200)}\n+\u001b]0;title\u0007${"中".repeat(80)}\n`;
  const lines = diffLines(hostile, 40, theme);
  for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(40);
  expect(lines.join("")).not.toContain("\u001b[2J");
  expect(lines.join("")).not.toContain("\u001b]0;");
});

const bare = (text: string, width = 60) => diffLines(text, width, theme).map(stripTerminalSequences);

test("[SU-3] a line may look like the head of a file: the numbers of its hunk say what it is", () => {
  const sql = "--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,3 @@\n--- drop it\n+++ keep it\n select 1;\n end;\n";
  expect(bare(sql)).toEqual(["x.sql", " 1 - -- drop it", " 1 + ++ keep it", " 2   select 1;", " 3   end;"]);
});

test("[SU-3] files that are new, gone, renamed or no text are named", () => {
  const gone =
    "diff --git a/old.ts b/old.ts\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n";
  const made = "--- /dev/null\t2026\n+++ b/new.ts\t2026\n@@ -0,0 +1 @@\n+y\n";
  const other =
    "diff --git a/p b/q\nsimilarity index 100%\nrename from p\nrename to q\nBinary files a/i.png and b/i.png differ\n";
  expect(bare(gone + made + other)).toEqual([
    ...["D old.ts", " 1 - x", "No newline at end of file", "A new.ts", " 1 + y", "rename from p", "rename to q"],
    "Binary files a/i.png and b/i.png differ",
  ]);
});

test("[SU-3] where all lines end with a return nobody sees it, and where only that changes it is seen", () => {
  const all = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\r\n-a\r\n+b\r\n";
  expect(bare(all)).toEqual(["x", " 1   same", " 2 - a", " 2 + b"]);
  const ends = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+a\r\n";
  expect(bare(ends)).toEqual(["x", " 1 - a", " 1 + a\\r"]);
});

test("[SU-3] the mark of a change never cuts a character in two", () => {
  const line = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-const s = "\u{1f600}";\n+const s = "\u{1f601}";\n';
  expect(bare(line)).toEqual(["x", ' 1 - const s = "😀";', ' 1 + const s = "😁";']);
});

test("[SU-3] of a long one only so much is laid out as is shown", () => {
  const long = `--- a/x\n+++ b/x\n@@ -0,0 +1,300000 @@\n${"+some line of text\n".repeat(300_000)}`;
  expect(diffLines(long, 60, theme, { most: 41 }).length).toBe(41);
  expect(diffLines(`--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${"z".repeat(5_000_000)}\n`, 60, theme).length).toBeLessThan(60);
});

test("[PO-6] [SU-3] whether a file can be run is told below its name", () => {
  const file = (name: string, ...more: string[]): string =>
    [`diff --git a/${name} b/${name}`, ...more, `--- a/${name}`, `+++ b/${name}`].join("\n");
  const all = [
    file("one", "old mode 100644", "new mode 100755"),
    file("two", "new file mode 100755"),
    file("three", "new file mode 100600"),
  ];
  expect(rowsIn(all.join("\n"), 100).map(({ text }) => text)).toEqual([
    ...["one", "old mode 100644", "new mode 100755", "two", "new file mode 100755", "three"],
  ]);
});

const changes = (own: string, other: string) => changedWords(own, other)?.map(({ from, to }) => own.slice(from, to));

test("[SU-3] in a line that changed the words are marked, and nothing where the lines have little in common", () => {
  const [old, now] = ["const total = add(left, right) * 2;", "const sum = add(first, right) * 20;"];
  expect(changes(now, old)).toEqual(["sum", "first", "20"]);
  expect(changes(old, now)).toEqual(["total", "left", "2"]);
  expect(changes("return 名字 + 1", "return 姓名 + 1")).toEqual(["名字"]);
  expect(changes("a b c d", "x b y d")).toEqual(["a", "c"]);
  expect(changes("if (ready) start();", "export default 7")).toBeUndefined();
});

test("[SU-3] a diff has the colours of its language, and where the background is known a tint as wide as the line", () => {
  const same = diffLines(patch, 60, theme)[1] ?? "";
  expect(same).toContain(theme.keyword("export"));
  const dark = themeFor("terminal", "palette", "dark");
  const lines = diffLines(patch, 60, dark);
  const [removed = "", added = ""] = lines.slice(2, 4);
  expect(removed.startsWith("\x1b[48;5;52m") && added.startsWith("\x1b[48;5;22m")).toBe(true);
  expect(added).toContain(dark.keyword("return"));
  expect(added).toContain("\x1b[48;5;28m");
  expect(lines.map(visibleWidth).filter((width) => width === 60).length).toBe(5);
  expect(lines.map(stripTerminalSequences).map((line) => line.trimEnd())).toEqual(
    diffLines(patch, 60, theme)
      .map(stripTerminalSequences)
      .map((line) => line.trimEnd()),
  );
});

test("[SU-3] no tint without colours, with sixteen of them, or on a background that nobody knows", () => {
  expect(depthOf({ COLORTERM: "truecolor", NO_COLOR: "1" })).toBe("none");
  expect(depthOf({ TERM: "xterm" })).toBe("sixteen");
  expect(depthOf({ TERM: "xterm-256color" })).toBe("palette");
  expect(themeFor("dark", "none", "dark").tint).toBe(null);
  expect(themeFor("dark", "sixteen", "dark").tint).toBe(null);
  expect(themeFor("terminal", "full", null).tint).toBe(null);
  expect(themeFor("light", "full", "dark").tint).toEqual(themeFor("terminal", "full", "light").tint);
  expect<unknown>(
    ["\x1b]11;rgb:1e1e/1e1e/2e2e\x07", "\x1b]11;rgb:ff/ff/f0\x1b\\", "15;0", "0;15", "?"].map(groundIn),
  ).toEqual([...["dark", "light", "dark", "light", null]]);
  expect(diffLines(patch, 60, themeFor("dark", "none", "dark")).join("")).not.toMatch(/\x1b\[[34]8/);
});
