import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { loadTools } from "../../../src/tool/registry.ts";
import { lines, patching } from "../patching.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "../workspace.ts";

const patch = loadTools([]).get("patch")!;

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const { put, apply } = patching(() => ws);

describe("[TL-2] where a hunk belongs", () => {
  const repeated = lines("start", "x", "end", "", "start", "x", "end", "", "start", "x", "end");
  const hunk = (head: string): string => lines("--- a/f.txt", "+++ b/f.txt", head, " start", "-x", "+y", " end");
  const changed = (block: number): string =>
    repeated
      .split("\n\n")
      .map((part, index) => (index === block ? part.replace("x", "y") : part))
      .join("\n\n");

  test("the line it names decides between places that fit, also when it is a little wrong", async () => {
    for (const [head, block] of [
      ["@@ -5,3 +5,3 @@", 1],
      ["@@ -10,3 +10,3 @@", 2],
      ["@@ -1,99 +1,99 @@", 0],
    ] as const) {
      await put({ "f.txt": repeated });
      expect(await apply(hunk(head))).toBe("M f.txt +1 -1");
      expect(ws.text("f.txt")).toBe(changed(block));
    }
  });

  test("several places and no line, or one that helps nobody: an error that lists them", async () => {
    await put({ "f.txt": repeated });
    for (const head of ["@@", "@@ -3,3 +3,3 @@", "@@ -300,3 +300,3 @@"]) {
      expect(await apply(hunk(head))).toBe(
        "E_INVALID_ARGS: the hunk at line 3 of the patch matches 3 places in f.txt:\n1\tstart\n5\tstart\n9\tstart\nNothing was changed. Add context lines until the place is unique, or give the right line number after @@.",
      );
    }
  });

  test("a line far from every place decides nothing, though one of them is much nearer", async () => {
    const far = `${"filler\n".repeat(40)}start\nx\nend\n${"filler\n".repeat(400)}start\nx\nend\n`;
    await put({ "f.txt": far });
    expect(await apply(hunk("@@ -1,3 +1,3 @@"))).toContain("matches 2 places in f.txt:\n41\tstart\n444\tstart");
    expect(await apply(hunk("@@ -30,3 +30,3 @@"))).toBe("M f.txt +1 -1");
    expect(ws.text("f.txt")).toBe(far.replace("x", "y"));
  });

  test("the shift of one hunk is expected of the next", async () => {
    await put({ "f.txt": lines("new", "new", "top") + repeated });
    const text = lines(
      ...["--- a/f.txt", "+++ b/f.txt", "@@ -1,2 +1,2 @@", "-top", "+Top", " start"],
      ...["@@ -6,3 +6,3 @@", " start", "-x", "+y", " end"],
    );
    expect(await apply(text)).toBe("M f.txt +2 -2");
    expect(ws.text("f.txt")).toBe(lines("new", "new", "Top") + changed(1));
  });

  test("the words after @@ decide, and lines that are only added go below them", async () => {
    const before = lines("def a():", "  x", "  return", "def b():", "  x", "  return");
    await put({ "f.py": before });
    const head = ["*** Begin Patch", "*** Update File: f.py"];
    expect(await apply(lines(...head, "@@ def b():", "-  x", "+  y", "*** End Patch"))).toBe("M f.py +1 -1");
    expect(ws.text("f.py")).toBe(lines("def a():", "  x", "  return", "def b():", "  y", "  return"));
    expect(await apply(lines(...head, "@@ def a():", "+  new", "*** End Patch"))).toBe("M f.py +1 -0");
    expect(ws.text("f.py")).toStartWith(lines("def a():", "  new", "  x"));
    expect(await apply(lines(...head, "@@ return", "+  new", "*** End Patch"))).toStartWith(
      "E_INVALID_ARGS: the hunk at line 3 of the patch matches 2 places",
    );
    expect(await apply(lines(...head, "@@", "+  new", "@@", "-  x", "+  y", "*** End Patch"))).toStartWith(
      "E_INVALID_ARGS: the hunk at line 3 of the patch only adds lines and does not say where",
    );
    expect(await apply(lines(...head, "@@", "+# end", "*** End of File", "*** End Patch"))).toBe("M f.py +1 -0");
    expect(ws.text("f.py")).toEndWith(lines("  return", "# end"));
  });

  test("without numbers hunks stand in the order of the file", async () => {
    await put({ "f.txt": lines("x", "a", "x") });
    const text = lines(
      "*** Begin Patch",
      "*** Update File: f.txt",
      "@@",
      "-a",
      "+A",
      "@@",
      "-x",
      "+y",
      "*** End Patch",
    );
    expect(await apply(text)).toBe("M f.txt +2 -2");
    expect(ws.text("f.txt")).toBe(lines("x", "A", "y"));
  });

  test("white space at line ends and a uniform indentation may differ, and the result says so", async () => {
    await put({ "f.txt": lines("  if (a) {  ", "    b();", "  }") });
    expect(
      await apply(lines("--- a/f.txt", "+++ b/f.txt", "@@ -1,3 +1,4 @@", " if (a) {", "-  b();", "+  c();", "+", " }")),
    ).toBe("M f.txt +2 -1\n(hunk at line 3 matched with different indentation)");
    expect(ws.text("f.txt")).toBe(lines("  if (a) {  ", "    c();", "", "  }"));
  });

  test("a part of a line is no match", async () => {
    await put({ "f.txt": lines("xfoo", "foo  ") });
    expect(await apply(lines("--- a/f.txt", "+++ b/f.txt", "@@ -1 +1 @@", "-foo", "+bar"))).toBe(
      "M f.txt +1 -1\n(hunk at line 3 matched with different trailing white space)",
    );
    expect(ws.text("f.txt")).toBe(lines("xfoo", "bar"));
  });

  test("hunks that contradict each other are refused", async () => {
    await put({ "f.txt": lines("a", "b", "c") });
    const head = ["--- a/f.txt", "+++ b/f.txt"];
    for (const second of [["-b", "+x"], [" b", "-c"], ["-b"]]) {
      expect(await apply(lines(...head, "@@ -1,2 +1,2 @@", " a", "-b", "+B", "@@ -2,2 +2,2 @@", ...second))).toBe(
        "E_INVALID_ARGS: the hunks at lines 3 and 7 of the patch change the same lines of f.txt\nNothing was changed. Add context lines until the place is unique, or give the right line number after @@.",
      );
    }
    const twice = ["@@ -1,2 +1,3 @@", " a", "+new", " b"];
    expect(await apply(lines(...head, ...twice, ...twice))).toStartWith("E_INVALID_ARGS: the hunks at lines 3 and 7");
  });
});

describe("[TL-2] a patch that does not fit", () => {
  test("one error names every hunk and file that fails, and nothing is changed", async () => {
    await put({ "a.txt": lines("alpha", "beta", "gamma"), "b.txt": "b\n", "there.txt": "t\n" });
    ws.put("unread.txt", "u\n");
    const text = lines(
      ...["*** Begin Patch", "*** Update File: b.txt", "-b", "+B"],
      ...["*** Update File: a.txt", "@@", "-betta", "+x", "@@", " gamma", "-delta", "+y"],
      ...["*** Update File: zzz", "-m", "+n", "*** Delete File: unread.txt"],
      ...["*** Add File: there.txt", "+other", "*** Update File: b.txt", "*** Move to: a.txt", "*** End Patch"],
    );
    expect(await apply(text)).toBe(
      [
        "E_CONFLICT: 6 problems, nothing was changed:",
        "the hunk at line 6 of the patch does not match a.txt. Nearest text:\n2\tbeta",
        "the hunk at line 9 of the patch does not match a.txt. Nearest text:\n3\tgamma",
        "zzz does not exist",
        "unread.txt exists and was not read in this session",
        "there.txt already exists",
        "a.txt already exists",
        "Nothing was changed. Read the place again, copy its lines exactly, and send the whole patch again.",
      ].join("\n"),
    );
  });

  test("what follows a part that failed is not reported as well", async () => {
    await put({ "a.txt": "a\n" });
    const part = (old: string): string => `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${old}\n+c\n`;
    expect(await apply(part("x") + part("c"))).toBe(
      "E_CONFLICT: the hunk at line 3 of the patch does not match a.txt\nNothing was changed. Read the place again, copy its lines exactly, and send the whole patch again.",
    );
  });

  test("the list of problems is bounded", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${index}.txt`);
    const text = names.map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${"x".repeat(5000)}\n+y\n`).join("");
    const answer = await apply(text);
    expect(answer).toStartWith("E_IO: 200 problems");
    expect(answer).toContain("… and 190 more");
    expect(answer.length).toBeLessThan(15_000);
  });

  test("a file changed since it was read, and one never read, are conflicts unless coder reads by itself", async () => {
    await put({ "a.txt": "a\n" });
    ws.put("a.txt", "b\n");
    const text = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-b \n+c\n";
    expect(await apply(text)).toBe(
      "E_CONFLICT: a.txt changed on disk since it was read\nRead it with the read tool, then repeat the change.",
    );
    ws.forget();
    expect(await apply(text)).toStartWith("E_CONFLICT: a.txt exists and was not read in this session");
    expect(told(await ws.change(patch, { patch: text }, { readsByItself: true }))).toStartWith("M a.txt +1 -1");
  });

  test("a file that was not read, or changed since, is patched where every hunk shows lines as they are", async () => {
    const head = "--- a/a.txt\n+++ b/a.txt\n";
    ws.put("a.txt", "a\n\nb\n");
    expect(await apply(`${head}@@ -3 +3 @@\n-b\n+c\n`)).toBe("M a.txt +1 -1");
    ws.put("a.txt", "a\r\n\r\nb\r\n");
    expect(await apply(`${head}@@ -1,3 +1,3 @@\n a\n \n-b\n+c\n`)).toBe("M a.txt +1 -1");
    expect(ws.text("a.txt")).toBe("a\r\n\r\nc\r\n");
    ws.put("a.txt", "a\n\nb\n");
    const unseen = [
      "@@ -3 +3 @@\n-x\n+c\n",
      "@@ -3 +3 @@\n-  b\n+  c\n",
      "@@ -3,0 +4 @@\n+c\n",
      "@@ -2 +2 @@\n-\n+c\n",
      "@@ -1 +1 @@\n-a\n+c\n@@ -3,0 +4 @@\n+c\n",
    ];
    for (const hunk of unseen) expect(await apply(head + hunk)).toStartWith("E_CONFLICT: a.txt changed on disk");
    ws.forget();
    const envelope = (...list: readonly string[]): string => lines("*** Begin Patch", ...list, "*** End Patch");
    for (const text of ["*** Delete File: a.txt", "*** Update File: a.txt\n*** Move to: b.txt"])
      expect(await apply(envelope(text))).toStartWith("E_CONFLICT: a.txt exists and was not read");
    expect(await apply(envelope("*** Update File: a.txt", "*** Move to: b.txt", "@@", "-a", "+c"))).toBe(
      "R a.txt -> b.txt +1 -1",
    );
  });

  test("to create what exists is a conflict, unless it is the same: then the result says so", async () => {
    ws.put("a.txt", "a\n");
    const create = (content: string): string => `--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+${content}\n`;
    expect(await apply(create("b"))).toBe(
      "E_CONFLICT: a.txt already exists\nRead it and change it instead, or choose another name.",
    );
    expect(await apply(create("a"))).toBe("= a.txt already has this content");
    expect(await apply(`${create("a")}--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n\n`)).toBe(
      "= a.txt already has this content\nA n.txt +1 -0",
    );
    mkdirSync(ws.path("folder"));
    expect(await apply("*** Begin Patch\n*** Add File: folder\n+x\n*** End Patch\n")).toStartWith(
      "E_CONFLICT: folder already exists",
    );
    expect(await apply("*** Begin Patch\n*** Add File: a.txt/b\n+x\n*** End Patch\n")).toBe(
      "E_IO: a.txt/b cannot exist: part of the path is a file, not a folder",
    );
  });

  test("a deletion that shows the file must show all of it", async () => {
    await put({ "a.txt": "a\nb\n" });
    const text = (...body: readonly string[]): string =>
      lines("--- a/a.txt", "+++ /dev/null", "@@ -1,2 +0,0 @@", ...body);
    expect(await apply(text("-a"))).toBe(
      "E_INVALID_ARGS: a.txt should be deleted, but the patch leaves 1 of its lines",
    );
    expect(await apply(text("-a", "-c"))).toStartWith("E_CONFLICT: the hunk at line 3 of the patch does not match");
    expect(await apply(text("-a", "-b"))).toBe("D a.txt +0 -2");
    expect(snapshot(ws.root)).toEqual({});
  });

  test("a patch that changes nothing is an error", async () => {
    await put({ "a.txt": "a\nb\n" });
    expect(await apply("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+a\n")).toBe(
      "E_INVALID_ARGS: the patch changes nothing",
    );
    expect(await apply("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n b\n")).toStartWith(
      "E_INVALID_ARGS: the part from line 3 of the patch adds and removes nothing",
    );
    expect(await apply("diff --git a/a.txt b/a.txt\nold mode 100755\nnew mode 100644\n")).toBe(
      "E_INVALID_ARGS: the patch changes nothing",
    );
  });

  test("[PO-7] paths outside, links, special files and folders", async () => {
    const outside = `${ws.root}-outside.txt`;
    writeFileSync(outside, "out\n");
    try {
      await put({ "target.txt": "t\n" });
      symlinkSync(outside, ws.path("out.txt"));
      symlinkSync("target.txt", ws.path("link.txt"));
      mkdirSync(ws.path("folder"));
      Bun.spawnSync(["mkfifo", ws.path("pipe")]);
      const change = (name: string): string => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-t\n+T\n`;
      const removal = (name: string): string => `*** Begin Patch\n*** Delete File: ${name}\n*** End Patch\n`;
      expect(await apply(change("../x"))).toStartWith("E_POLICY_DENIED: ../x leads to");
      expect(await apply(removal("out.txt"))).toStartWith("E_POLICY_DENIED: out.txt leads to");
      expect(await apply(removal("link.txt"))).toStartWith("E_INVALID_ARGS: link.txt is a symbolic link");
      expect(await apply(removal("folder"))).toStartWith("E_INVALID_ARGS: folder is a folder");
      expect(await apply(change("pipe"))).toStartWith("E_INVALID_ARGS: pipe is a pipe");
      expect(await apply(change("link.txt"))).toBe("M link.txt +1 -1");
      expect(ws.text("target.txt")).toBe("T\n");
    } finally {
      rmSync(outside);
    }
  });

  test("two names of one file are one file", async () => {
    await put({ "a.txt": "a\nb\n" });
    linkSync(ws.path("a.txt"), ws.path("hard.txt"));
    const text = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+A\n--- a/./a.txt\n+++ b/./a.txt\n@@ -2 +2 @@\n-b\n+B\n";
    expect(await apply(text)).toBe("M a.txt +2 -2\n(the file had 2 hard links; its other names keep the old content)");
    expect([ws.text("a.txt"), ws.text("hard.txt")]).toEqual(["A\nB\n", "a\nb\n"]);
  });
});
