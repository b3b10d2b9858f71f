import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { lstatSync } from "node:fs";
import { edit } from "../../../src/tool/edit/edit.ts";
import { read } from "../../../src/tool/read/read.ts";
import { growsEvenly } from "../../support/cpu.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

interface Case {
  readonly before: string | Uint8Array;
  readonly old: string;
  readonly fresh: string;
  readonly all?: boolean;
}

/** Reads, edits, and gives the file's text or the error. */
async function edited({ before, old, fresh, all }: Case): Promise<string> {
  ws.put("f.txt", before);
  await ws.run(read, { path: "f.txt" });
  const more = all === undefined ? {} : { replace_all: all };
  const result = await ws.change(edit, { path: "f.txt", old_string: old, new_string: fresh, ...more });
  if (!result.ok) expect(ws.bytes("f.txt")).toEqual(Buffer.from(before as string));
  return result.ok ? ws.bytes("f.txt").toString() : told(result);
}

describe("[TL-2] the ladder of matchers", () => {
  test("exact, in the middle of a line", async () => {
    expect(await edited({ before: "let x = 1;\n", old: "x = 1", fresh: "y = 2" })).toBe("let y = 2;\n");
  });

  test("line endings: LF in the call, CRLF in the file, and the file stays CRLF", async () => {
    expect(await edited({ before: "a\r\nb\r\nc\r\n", old: "a\nb\n", fresh: "a\nx\ny\n" })).toBe("a\r\nx\r\ny\r\nc\r\n");
    expect(await edited({ before: "a\nb\nc\n", old: "a\r\nb", fresh: "x\r\ny" })).toBe("x\ny\nc\n");
  });

  test("an exact one-line match in a CRLF file adds CRLF lines", async () => {
    expect(await edited({ before: "a\r\nb\r\n", old: "b", fresh: "b\nc" })).toBe("a\r\nb\r\nc\r\n");
    expect(await edited({ before: "a\r\nb", old: "b", fresh: "b\nc" })).toBe("a\r\nb\r\nc");
  });

  test("a line break is matched whole: LF never splits a CRLF", async () => {
    expect(await edited({ before: "a\r\nb", old: "\n", fresh: "\n\n" })).toBe("a\r\n\r\nb");
    expect(await edited({ before: "a\r\nb", old: "a\r", fresh: "x" })).toBe("x\r\nb");
  });

  test("mixed line endings: kept lines keep theirs, new ones take that of the line they replace or follow", async () => {
    expect(await edited({ before: "a\r\nb\nc\r\nd\n", old: "a\nb\nc\n", fresh: "a\nB\nnew\nc\n" })).toBe(
      "a\r\nB\nnew\r\nc\r\nd\n",
    );
  });

  test("an edit that is only about line endings changes them", async () => {
    expect(await edited({ before: "a\nb\n", old: "a\nb", fresh: "a\r\nb" })).toBe("a\r\nb\n");
  });

  test("trailing white space: kept lines keep it", async () => {
    expect(
      await edited({ before: "if (x) {  \n  y();\t\n}\n", old: "if (x) {\n  y();\n}", fresh: "if (x) {\n  z();\n}" }),
    ).toBe("if (x) {  \n  z();\n}\n");
  });

  test("uniform indentation: more in the file, less in the file", async () => {
    expect(await edited({ before: "  a:\n    b\n  c\n", old: "a:\n  b\n", fresh: "a:\n  B\n  n\n" })).toBe(
      "  a:\n    B\n    n\n  c\n",
    );
    expect(await edited({ before: "a:\n\tb\nc\n", old: "\ta:\n\t\tb", fresh: "\ta:\n\t\tB\n\t\t\tn" })).toBe(
      "a:\n\tB\n\t\tn\nc\n",
    );
  });

  test("indentation that differs from line to line is no match", async () => {
    expect(await edited({ before: "  a\n      b\n", old: "a\n  b", fresh: "x" })).toStartWith(
      "E_INVALID_ARGS: old_string does not occur",
    );
  });

  test("the result names a tolerant match", async () => {
    ws.put("f.txt", "  a\n  b\n");
    await ws.run(read, { path: "f.txt" });
    const result = await ws.change(edit, { path: "f.txt", old_string: "a\nb\n", new_string: "a\nc\n" });
    expect(result.ok && [result.value.text, result.value.data]).toEqual([
      "edited f.txt at line 1 (matched with different indentation)",
      { path: "f.txt", bytes: 8, replaced: 1, line: 1, matched: "indentation" },
    ]);
  });

  test("a final line break that only the call has does not appear in the file", async () => {
    expect(await edited({ before: "a \nb", old: "a\nb\n", fresh: "a\nc\n" })).toBe("a \nc");
    expect(await edited({ before: "a\nb", old: "b", fresh: "b\n" })).toBe("a\nb\n");
  });

  test("text between the matches, at the start and at the end may be deleted", async () => {
    expect(await edited({ before: "a\nb\nc\n", old: "b\n", fresh: "" })).toBe("a\nc\n");
    expect(await edited({ before: "a", old: "a", fresh: "" })).toBe("");
  });
});

describe("[TL-2] several matches or none", () => {
  test("several: an error with their lines; with replace_all all of them", async () => {
    const before = "x = 1\ny = 1\nx = 1\n";
    expect(await edited({ before, old: "x = 1", fresh: "x = 2" })).toBe(
      "E_INVALID_ARGS: old_string occurs 2 times in f.txt:\n1\tx = 1\n3\tx = 1\nAdd surrounding lines to old_string until it is unique, or set replace_all.",
    );
    expect(await edited({ before, old: "x = 1", fresh: "x = 2", all: true })).toBe("x = 2\ny = 1\nx = 2\n");
  });

  test("overlapping matches are several, and replace_all takes them one after the other", async () => {
    expect(await edited({ before: "aaa", old: "aa", fresh: "b" })).toStartWith(
      "E_INVALID_ARGS: old_string occurs 2 times",
    );
    expect(await edited({ before: "aaa", old: "aa", fresh: "b", all: true })).toBe("ba");
  });

  test("replace_all over CRLF", async () => {
    expect(await edited({ before: "a\r\nb\r\na\r\nb\r\n", old: "a\nb\n", fresh: "c\n", all: true })).toBe("c\r\nc\r\n");
  });

  test("replace_all takes every place that differs in its indentation, each with its own, and none twice", async () => {
    const before = "  f(\n  1)\n    f(\n    1)\n";
    expect(await edited({ before, old: "f(\n1)\n", fresh: "g(\n1)\n", all: true })).toBe(
      "  g(\n  1)\n    g(\n    1)\n",
    );
    expect(await edited({ before: "a \na \na \na \n", old: "a\na\n", fresh: "b\n", all: true })).toBe("b\nb\n");
  });

  test("none: the nearest text with line numbers, and the file is as it was", async () => {
    const before = "import a\n\nfunction total(items) {\n  return items.length;\n}\n";
    expect(await edited({ before, old: "function total(item) {\n  return item.length;\n}", fresh: "x" })).toBe(
      [
        "E_INVALID_ARGS: old_string does not occur in f.txt. Nearest text:",
        "3\tfunction total(items) {",
        "4\t  return items.length;",
        "5\t}",
        "Read the place again and copy old_string exactly, without the line numbers.",
      ].join("\n"),
    );
    expect(await edited({ before: "abc\n", old: "全く違う", fresh: "x" })).toStartWith(
      "E_INVALID_ARGS: old_string does not occur in f.txt\n",
    );
  });

  test("as many as a file of equal lines has: the answer comes in bounded time", async () => {
    ws.put("same.txt", " x\n".repeat(110_000));
    const input = { path: "same.txt", old_string: "x  \n".repeat(500), new_string: "y" };
    expect(told(await ws.plan(edit, input, { readsByItself: true }))).toStartWith(
      "E_INVALID_ARGS: old_string occurs 100000+ times in same.txt",
    );
  });

  test("none in a big file: what the answer costs grows with the file", async () => {
    const told = (scale: number) => {
      const before = Array.from({ length: 37_500 * scale }, (_, index) => `line ${index} of a big file`).join("\n");
      return edited({ before, old: "line 12345 of a bit file", fresh: "x" });
    };
    expect(await told(8)).toContain("12346\tline 12345 of a big file");
    expect(await growsEvenly(told)).toBe(true);
  });
});

describe("what edit refuses", () => {
  test("an empty old_string, and one that equals new_string", async () => {
    expect(await edited({ before: "a", old: "", fresh: "b" })).toStartWith(
      "E_INVALID_ARGS: old_string is empty\nThis works only for an empty file",
    );
    expect(await edited({ before: "a", old: "a", fresh: "a" })).toBe(
      "E_INVALID_ARGS: old_string and new_string are the same",
    );
    expect(await edited({ before: "a\r\nb", old: "a\nb", fresh: "a\r\nb" })).toBe(
      "E_INVALID_ARGS: old_string and new_string are the same",
    );
  });

  test("[TL-2] a file never read, or changed since, unless the caller reads by itself", async () => {
    ws.put("f.txt", "a");
    const input = { path: "f.txt", old_string: "a", new_string: "b" };
    expect(told(await ws.change(edit, input))).toStartWith("E_CONFLICT: f.txt exists and was not read in this session");
    await ws.run(read, { path: "f.txt" });
    ws.put("f.txt", "a ");
    expect(told(await ws.change(edit, input))).toStartWith("E_CONFLICT: f.txt changed on disk since it was read");
    expect(snapshot(ws.root)).toEqual({ "f.txt": "644 a " });
    expect(told(await ws.change(edit, input, { readsByItself: true }))).toBe("edited f.txt at line 1");
  });

  test("a missing file, a folder, binary data", async () => {
    ws.put("dir/x", "");
    ws.put("data.bin", Buffer.from([0, 97, 0]));
    const tell = async (path: string): Promise<string> =>
      told(await ws.plan(edit, { path, old_string: "a", new_string: "b" }, { readsByItself: true }));
    expect(await tell("nope.txt")).toBe("E_IO: nope.txt does not exist");
    expect(await tell("dir")).toStartWith("E_INVALID_ARGS: dir is a folder");
    expect(await tell("data.bin")).toStartWith("E_INVALID_ARGS: data.bin is not text");
  });

  test("a result over the size limit", async () => {
    const before = "a".repeat(90_000);
    expect(await edited({ before, old: "a", fresh: "b".repeat(1000), all: true })).toStartWith(
      "E_INVALID_ARGS: f.txt is too large",
    );
  });
});

describe("[TL-1] edit keeps bytes it was not asked to change", () => {
  test("GBK, Latin-1, UTF-16, byte order mark, mode", async () => {
    const cases: readonly (readonly [before: Buffer, old: string, fresh: string, after: Buffer])[] = [
      [Buffer.from("d6d0cec40d0a61", "hex"), "a", "文\nb", Buffer.from("d6d0cec40d0acec40d0a62", "hex")],
      [Buffer.from("caf\xe9 x\n", "latin1"), "x", "ü", Buffer.from("caf\xe9 \xfc\n", "latin1")],
      [
        Buffer.from("fffe61000d000a006200", "hex"),
        "b",
        "中\nc",
        Buffer.from("fffe61000d000a002d4e0d000a006300", "hex"),
      ],
      [Buffer.from("\ufeffa\nb"), "a", "c", Buffer.from("\ufeffc\nb")],
    ];
    for (const [before, old, fresh, after] of cases) {
      ws.put("f.txt", before, 0o755);
      await ws.run(read, { path: "f.txt" });
      await ws.change(edit, { path: "f.txt", old_string: old, new_string: fresh });
      expect(ws.bytes("f.txt")).toEqual(after);
      expect(lstatSync(ws.path("f.txt")).mode & 0o777).toBe(0o755);
    }
  });

  test("a character that does not fit the file's encoding is an error", async () => {
    ws.put("f.txt", Buffer.from("caf\xe9", "latin1"));
    await ws.run(read, { path: "f.txt" });
    expect(told(await ws.change(edit, { path: "f.txt", old_string: "caf", new_string: "中" }))).toBe(
      "E_INVALID_ARGS: the character 中 does not exist in latin-1, the encoding of f.txt",
    );
  });
});
