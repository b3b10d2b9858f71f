import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { encodeText } from "../../../src/platform/files/text/encoding.ts";
import { loadTools } from "../../../src/tool/registry.ts";
import { png } from "../../support/pictures.ts";
import { lines, patching } from "../patching.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "../workspace.ts";

const patch = loadTools([]).get("patch")!;

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const { put, apply } = patching(() => ws);

describe("[TL-1] a patch does all of it", () => {
  test("creates, changes, deletes and renames in one call, and says so in one line for each file", async () => {
    await put({ "src/a.ts": "one\ntwo\nthree\n", "old.txt": "gone\n", "from.txt": "x\ny\n", "keep.txt": "k\n" });
    chmodSync(ws.path("from.txt"), 0o750);
    const text = lines(
      "*** Begin Patch",
      "*** Update File: src/a.ts",
      "@@",
      " one",
      "-two",
      "+2",
      "+2b",
      "*** Add File: new/deep/b.ts",
      "+first",
      "+",
      "+third",
      "*** Delete File: old.txt",
      "*** Update File: from.txt",
      "*** Move to: to/file.txt",
      "-y",
      "+z",
      "*** End Patch",
    );
    const plan = await ws.plan(patch, { patch: text });
    expect(plan.ok && [plan.value.text, plan.value.data]).toEqual([
      "M src/a.ts +2 -1\nA new/deep/b.ts +3 -0\nD old.txt +0 -1\nR from.txt -> to/file.txt +1 -1",
      {
        files: [
          { path: "src/a.ts", change: "modify", added: 2, removed: 1 },
          { path: "new/deep/b.ts", change: "create", added: 3, removed: 0 },
          { path: "old.txt", change: "delete", added: 0, removed: 1 },
          { path: "to/file.txt", change: "rename", from: "from.txt", added: 1, removed: 1 },
        ],
      },
    ]);
    await apply(text);
    expect(snapshot(ws.root)).toEqual({
      "keep.txt": "644 k\n",
      new: "755 folder",
      "new/deep": "755 folder",
      "new/deep/b.ts": "644 first\n\nthird\n",
      src: "755 folder",
      "src/a.ts": "644 one\n2\n2b\nthree\n",
      to: "755 folder",
      "to/file.txt": "750 x\nz\n",
    });
  });

  test("hunks in any order, also with shared context, and a file named twice is changed twice in order", async () => {
    await put({ "f.txt": lines("a", "b", "c", "d", "e", "f", "g") });
    const text = lines(
      ...["--- a/f.txt", "+++ b/f.txt", "@@ -6,2 +6,2 @@", "-f", "+F", " g", "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"],
      ...["@@ -3,3 +3,3 @@", " c", "-d", "+D", " e"],
      ...["--- a/f.txt", "+++ b/f.txt", "@@ -1,3 +1,3 @@", "-a", "+A", " B", " c"],
    );
    expect(await apply(text)).toBe("M f.txt +4 -4");
    expect(ws.text("f.txt")).toBe(lines("A", "B", "c", "D", "e", "F", "g"));
  });

  test("hundreds of files at once", async () => {
    const names = Array.from({ length: 300 }, (_, index) => `d${index % 7}/f${index}.txt`);
    await put(Object.fromEntries(names.map((name) => [name, `${name}\nold\n`])));
    const body = names.map((name) => `--- a/${name}\n+++ b/${name}\n@@ -2 +2 @@\n-old\n+new\n`).join("");
    expect((await apply(body)).split("\n")).toHaveLength(300);
    expect(new Set(names.map((name) => ws.text(name)))).toEqual(new Set(names.map((name) => `${name}\nnew\n`)));
  });

  test("a file deleted and made again, one made and changed, one renamed twice, a name that became free", async () => {
    await put({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
    const text = lines(
      ...["*** Begin Patch", "*** Delete File: a.txt", "*** Add File: a.txt", "+again"],
      ...["*** Add File: n.txt", "+n", "*** Update File: n.txt", "-n", "+N"],
      ...[
        "*** Update File: b.txt",
        "*** Move to: b2.txt",
        "*** Update File: b2.txt",
        "*** Move to: b3.txt",
        "-b",
        "+B",
      ],
      ...["*** Update File: c.txt", "*** Move to: b.txt", "*** Add File: x.txt", "+x", "*** Delete File: x.txt"],
      "*** End Patch",
    );
    expect(await apply(text)).toBe("M a.txt +1 -1\nA n.txt +2 -1\nR c.txt -> b.txt +0 -0\nR b.txt -> b3.txt +1 -1");
    expect(snapshot(ws.root)).toEqual({
      "a.txt": "644 again\n",
      "b.txt": "644 c\n",
      "b3.txt": "644 B\n",
      "n.txt": "644 N\n",
    });
  });

  test("modes as git writes them", async () => {
    await put({ "run.sh": "#!/bin/sh\n", "was.sh": "#!/bin/sh\n" });
    chmodSync(ws.path("was.sh"), 0o755);
    const text = lines(
      ...["diff --git a/run.sh b/run.sh", "old mode 100644", "new mode 100755"],
      ...["diff --git a/was.sh b/was.sh", "old mode 100755", "new mode 100644"],
      ...[
        "diff --git a/new.sh b/new.sh",
        "new file mode 100755",
        "--- /dev/null",
        "+++ b/new.sh",
        "@@ -0,0 +1 @@",
        "+x",
      ],
      ...["diff --git a/empty b/empty", "new file mode 100644", "index 0000000..e69de29"],
    );
    expect(await apply(text)).toBe("M run.sh +0 -0\nM was.sh +0 -0\nA new.sh +1 -0\nA empty +0 -0");
    expect(snapshot(ws.root)).toEqual({
      empty: "644 ",
      "new.sh": "755 x\n",
      "run.sh": "755 #!/bin/sh\n",
      "was.sh": "644 #!/bin/sh\n",
    });
  });

  test("a new name that is the old one renames nothing", async () => {
    await put({ "d/a.txt": "a\n" });
    const text = (to: string, old: string, fresh: string) =>
      `*** Begin Patch\n*** Update File: d/a.txt\n*** Move to: ${to}\n-${old}\n+${fresh}\n*** End Patch\n`;
    expect(await apply(text("d/a.txt", "a", "b"))).toBe("M d/a.txt +1 -1");
    expect(await apply(text("./d/../d/a.txt", "b", "c"))).toBe("M d/a.txt +1 -1");
    expect(snapshot(ws.root)).toEqual({ d: "755 folder", "d/a.txt": "644 c\n" });
  });

  test("a binary file is renamed and deleted, but not patched", async () => {
    const bytes = new Uint8Array([0, 1, 2, 255, 0]);
    ws.put("a.bin", bytes);
    ws.put("b.bin", bytes);
    const own = { ...ws.ctx, readsByItself: true };
    const text = "*** Begin Patch\n*** Update File: a.bin\n*** Move to: c.bin\n*** Delete File: b.bin\n*** End Patch\n";
    expect(told(await ws.change(patch, { patch: text }, own))).toBe("R a.bin -> c.bin +0 -0\nD b.bin +0 -0");
    expect(ws.bytes("c.bin")).toEqual(Buffer.from(bytes));
    const changed = "--- a/c.bin\n+++ b/c.bin\n@@ -1 +1 @@\n-a\n+b\n";
    expect(told(await ws.change(patch, { patch: changed }, own))).toStartWith("E_INVALID_ARGS: c.bin is not text");
  });
});

describe("[TL-2] a file that is no text", () => {
  const both = "*** Begin Patch\n*** Update File: a\n*** Move to: c\n*** Delete File: b\n*** End Patch\n";

  test("is renamed and deleted once it was read as an image", async () => {
    const bytes = png(4, 4);
    await put({ a: bytes, b: bytes });
    expect(await apply(both)).toBe("R a -> c +0 -0\nD b +0 -0");
    expect(ws.bytes("c")).toEqual(bytes);
    expect(await apply("*** Begin Patch\n*** Update File: c\n-a\n+b\n*** End Patch\n")).toStartWith(
      "E_INVALID_ARGS: c is not text: PNG image",
    );
  });

  test("and cannot be read is left to the shell, instead of asking for it to be read", async () => {
    await put({ a: Buffer.from("PK\x03\x04\0\0"), b: Buffer.from([0, 1, 2]) });
    expect(await apply("*** Begin Patch\n*** Delete File: a\n*** End Patch\n")).toBe(
      "E_INVALID_ARGS: a is not text: ZIP archive, 6 bytes\nUse a shell command for it.",
    );
    for (const [name, input] of [
      ["write", { path: "b", content: "x" }],
      ["edit", { path: "b", old_string: "x", new_string: "y" }],
    ] as const) {
      expect(told(await ws.change(loadTools([]).get(name)!, input))).toBe(
        "E_INVALID_ARGS: b is not text: binary data, 3 bytes\nUse a shell command for it.",
      );
    }
  });
});

describe("[TL-1] bytes that a patch does not change", () => {
  test("line endings: LF in the patch, CRLF or both in the file", async () => {
    await put({ "crlf.txt": "a\r\nb\r\nc\r\n", "mixed.txt": "a\r\nb\nc\r\nd\n" });
    expect(
      await apply(
        lines(
          ...["--- a/crlf.txt", "+++ b/crlf.txt", "@@ -1,3 +1,4 @@", " a", "-b", "+B", "+new", " c"],
          ...["--- a/mixed.txt", "+++ b/mixed.txt", "@@ -1,4 +1,5 @@", " a", "-b", "+B", "+new", " c", " d"],
        ),
      ),
    ).toBe("M crlf.txt +2 -1\nM mixed.txt +2 -1");
    expect([ws.text("crlf.txt"), ws.text("mixed.txt")]).toEqual(["a\r\nB\r\nnew\r\nc\r\n", "a\r\nB\nnew\nc\r\nd\n"]);
  });

  test("line endings: a patch that shows them as git does is taken literally", async () => {
    await put({ "f.txt": "a\r\nb\nc\r\n" });
    expect(await apply("--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n-a\r\n+a\n b\n-c\r\n+c2\r\n")).toBe("M f.txt +2 -2");
    expect(ws.text("f.txt")).toBe("a\nb\nc2\r\n");
  });

  test("line endings: a patch written in CRLF changes an LF file in LF, and the other way round", async () => {
    await put({ "f.txt": "a\nb\n", "g.txt": "a\r\nb\r\n" });
    const crlf = (name: string): string =>
      `--- a/${name}\r\n+++ b/${name}\r\n@@ -1,2 +1,3 @@\r\n a\r\n-b\r\n+B\r\n+c\r\n`;
    expect(await apply(crlf("f.txt") + crlf("g.txt"))).toBe("M f.txt +2 -1\nM g.txt +2 -1");
    expect([ws.text("f.txt"), ws.text("g.txt")]).toEqual(["a\nB\nc\n", "a\r\nB\r\nc\r\n"]);
  });

  test("a file in which CR alone ends the lines", async () => {
    await put({ "f.txt": "a\rb\rc\r" });
    expect(await apply("--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n")).toBe("M f.txt +1 -1");
    expect(ws.text("f.txt")).toBe("a\rB\rc\r");
  });

  test("the end of the file: kept when the patch does not mark it, changed when it does", async () => {
    const end = "\\ No newline at end of file";
    const cases: readonly (readonly [before: string, body: readonly string[], after: string])[] = [
      ["a\nb", [" a", "-b", "+c"], "a\nc"],
      ["a\nb", [" a", " b", "+c"], "a\nb\nc"],
      ["a\nb", [" a", "-b", end, "+c"], "a\nc\n"],
      ["a\nb", [" a", "-b", end, "+c", end], "a\nc"],
      ["a\nb", [" a", "-b", end], "a\n"],
      ["a\nb", [" a", "-b"], "a"],
      ["a\nb\n", [" a", "-b", "+b", end], "a\nb"],
      ["a\nb\n", [" a", "-b", end, "+c", end], "a\nc\n"],
      ["a\r\nb", [" a", "-b", end, "+b", "+c"], "a\r\nb\r\nc\r\n"],
      ["a\nb\na", ["-a", "+x"], "x\nb\na"],
    ];
    for (const [before, body, after] of cases) {
      await put({ "f.txt": before });
      expect(await apply(lines("--- a/f.txt", "+++ b/f.txt", "@@ -1,2 +1,2 @@", ...body))).toStartWith("M f.txt");
      expect([body, ws.text("f.txt")]).toEqual([body, after]);
    }
  });

  test("a last line without break is where it says it is, though the same line stands elsewhere with one", async () => {
    await put({ "f.txt": "foo\nbar\nfoo" });
    expect(await apply(lines("--- a/f.txt", "+++ b/f.txt", "@@ -3 +3 @@", "-foo", "+end"))).toBe("M f.txt +1 -1");
    expect(ws.text("f.txt")).toBe("foo\nbar\nend");
  });

  test("a mark of a missing break says that the hunk stands at the end", async () => {
    await put({ "f.txt": "a\nb\na" });
    expect(await apply("--- a/f.txt\n+++ b/f.txt\n@@\n-a\n\\ No newline at end of file\n+x\n")).toBe("M f.txt +1 -1");
    expect(ws.text("f.txt")).toBe("a\nb\nx\n");
    expect(await apply("--- a/f.txt\n+++ b/f.txt\n@@\n-b\n\\ No newline at end of file\n+x\n")).toStartWith(
      "E_CONFLICT: the hunk at line 3 of the patch does not match f.txt",
    );
  });

  test("encoding and byte order mark; what the encoding lacks is refused", async () => {
    const forms = [
      { encoding: "gbk", bom: false },
      { encoding: "utf-16le", bom: true },
      { encoding: "utf-16be", bom: true },
      { encoding: "utf-8", bom: true },
    ] as const;
    for (const form of forms) {
      await put({ "f.txt": encodeText("你好\n世界\n再见\n", form) as Buffer });
      expect(await apply(lines("--- a/f.txt", "+++ b/f.txt", "@@ -1,2 +1,2 @@", " 你好", "-世界", "+天地"))).toBe(
        "M f.txt +1 -1",
      );
      expect(ws.bytes("f.txt")).toEqual(encodeText("你好\n天地\n再见\n", form) as Buffer);
    }
    await put({ "f.txt": encodeText("你好\n世界\n", forms[0]) as Buffer });
    expect(await apply(lines("--- a/f.txt", "+++ b/f.txt", "@@ -2 +2 @@", "-世界", "+🙂"))).toStartWith(
      "E_INVALID_ARGS: the character 🙂 does not exist in gbk",
    );
  });

  test("a byte order mark that the patch shows can be removed and added", async () => {
    await put({ "f.txt": "\ufeffa\nb\n", "g.txt": "a\n" });
    expect(
      await apply(
        lines(
          ...["--- a/f.txt", "+++ b/f.txt", "@@ -1,2 +1,2 @@", "-\ufeffa", "+a", " b"],
          ...["--- a/g.txt", "+++ b/g.txt", "@@ -1 +1 @@", "-a", "+\ufeffa"],
        ),
      ),
    ).toBe("M f.txt +1 -1\nM g.txt +1 -1");
    expect([ws.bytes("f.txt"), ws.bytes("g.txt")]).toEqual([Buffer.from("a\nb\n"), Buffer.from("\ufeffa\n")]);
  });
});

describe("[TP-1] what the pipeline is told", () => {
  const facts = (text: string, more: object = {}) => {
    const tool = loadTools([]).get("patch")!;
    const input = { patch: text, ...more } as never;
    return [tool.accessOf?.(input), tool.touches?.(input), tool.writes?.(input)];
  };
  const text = lines(
    ...[
      "*** Begin Patch",
      "*** Update File: a.txt",
      "*** Move to: ../b.txt",
      " context",
      "-removed",
      "+added",
      "+twice",
    ],
    ...["*** Delete File: /etc/c", "*** Add File: a.txt", "+new", "*** End Patch"],
  );

  test("every path, and only what lands in files", () => {
    expect(facts(text)).toEqual(["write", ["a.txt", "../b.txt", "/etc/c"], ["added\ntwice", "", "new"]]);
    expect(facts(text, { dry_run: false })[0]).toBe("write");
    expect(facts("no patch")).toEqual(["write", [], []]);
  });

  test("a dry run reads, says what would change, and changes nothing", async () => {
    expect(facts(text, { dry_run: true })[0]).toBe("read");
    await put({ "a.txt": "a\n" });
    const result = await ws.plan(patch, { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n", dry_run: true });
    expect(result).toEqual({
      ok: true,
      value: {
        changes: [],
        text: "dry run, nothing was changed\nM a.txt +1 -1",
        data: { files: [{ path: "a.txt", change: "modify", added: 1, removed: 1 }], dry_run: true },
      },
    });
    expect(await apply("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+b\n", { dry_run: true })).toStartWith(
      "E_CONFLICT: the hunk at line 3",
    );
    ws.forget();
    expect(await apply("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n", { dry_run: true })).toBe(
      "dry run, nothing was changed\nM a.txt +1 -1",
    );
    expect(await apply("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a \n+b\n", { dry_run: true })).toBe(
      "dry run, nothing was changed\nM a.txt +1 -1\n(hunk at line 3 matched with different trailing white space)\n(to be read before the patch: a.txt)",
    );
  });
});
