import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { edit } from "../../src/tool/edit/edit.ts";
import { write } from "../../src/tool/edit/write.ts";
import { read } from "../../src/tool/read/read.ts";
import { glob } from "../../src/tool/search/glob.ts";
import { grep } from "../../src/tool/search/grep.ts";
import { list } from "../../src/tool/search/list.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(" ", ""), "hex");
const show = async (path: string, more: object = {}): Promise<string> => told(await ws.run(read, { path, ...more }));
const put = async (path: string, content: string): Promise<string> => told(await ws.change(write, { path, content }));
const alter = async (path: string, old: string, fresh: string): Promise<string> =>
  told(await ws.change(edit, { path, old_string: old, new_string: fresh }));
const known = async (bytes: string | Uint8Array): Promise<string> => {
  ws.put("f.txt", bytes);
  return await show("f.txt");
};

describe("[TL-1] encodings through read, edit and write", () => {
  test("UTF-16 without a mark is read, and stays without one", async () => {
    expect(await known(hex("6100 2d4e 0a00"))).toBe("1\ta中\n(encoding: utf-16le)");
    expect(await alter("f.txt", "a", "文😀")).toBe("edited f.txt at line 1");
    expect(ws.bytes("f.txt")).toEqual(hex("8765 3dd8 00de 2d4e 0a00"));
    expect(await put("f.txt", "b\n")).toBe("replaced f.txt (1 lines, 4 bytes)");
    expect(ws.bytes("f.txt")).toEqual(hex("6200 0a00"));
  });

  test("a stray byte in UTF-8 is shown as broken, stays, and does not change what is written beside it", async () => {
    const text = Buffer.from("十个以上的汉字在这一行里\n");
    expect(await known(Buffer.concat([text, hex("61 ff 0a"), text]))).toBe(
      "1\t十个以上的汉字在这一行里\n2\ta\ufffd\n3\t十个以上的汉字在这一行里\n(encoding: utf-8 with stray bytes)",
    );
    expect(await alter("f.txt", "a", "é")).toBe("edited f.txt at line 2");
    expect(ws.bytes("f.txt")).toEqual(Buffer.concat([text, Buffer.from("é"), hex("ff 0a"), text]));
    expect(await alter("f.txt", "é\ufffd", "x")).toStartWith("E_INVALID_ARGS: old_string does not occur");
  });

  test("what windows-1252 has and Latin-1 has not is shown and written; the rest is refused", async () => {
    expect(await known(hex("93 6869 94 0a"))).toBe("1\t“hi”\n(encoding: windows-1252)");
    expect(await alter("f.txt", "hi", "5 €")).toBe("edited f.txt at line 1");
    expect(ws.bytes("f.txt")).toEqual(hex("93 35 20 80 94 0a"));
    expect(await alter("f.txt", "5", "中")).toBe(
      "E_INVALID_ARGS: the character 中 does not exist in windows-1252, the encoding of f.txt",
    );
  });

  test("half a character is written nowhere, and no edit begins or ends within a whole one", async () => {
    await known(Buffer.concat([hex("fffe"), Buffer.from("😀 x", "utf16le")]));
    const before = ws.bytes("f.txt");
    expect(await alter("f.txt", "x", "\ud83d")).toStartWith("E_INVALID_ARGS: the character \ufffd does not exist in");
    expect(await put("f.txt", "\ude00")).toStartWith("E_INVALID_ARGS: the character \ufffd does not exist in");
    expect(await alter("f.txt", "\ude00", "y")).toStartWith("E_INVALID_ARGS: old_string does not occur");
    expect(await alter("f.txt", "\ud83d", "")).toStartWith("E_INVALID_ARGS: old_string does not occur");
    expect(ws.bytes("f.txt")).toEqual(before);
  });

  test("the result says when the new content alone looks like another encoding", async () => {
    await known(hex("d6d0 c4a3 0a"));
    expect(await alter("f.txt", "中", "")).toBe(
      "edited f.txt at line 1\n(written in gbk, as before; the new content alone looks like utf-8)",
    );
    await known(hex("d6d0 61 0a"));
    expect(await alter("f.txt", "中", "")).toBe("edited f.txt at line 1");
  });

  test("an empty file, one with only a mark, and a line of a megabyte", async () => {
    expect(await known("")).toBe("(empty file)");
    expect(await alter("f.txt", "a", "b")).toStartWith("E_INVALID_ARGS: old_string does not occur in f.txt");
    expect(await put("f.txt", "x")).toBe("replaced f.txt (1 lines, 1 bytes)");
    await known(hex("efbbbf"));
    expect(await put("f.txt", "x")).toBe("replaced f.txt (1 lines, 4 bytes)");
    expect(ws.bytes("f.txt")).toEqual(hex("efbbbf 78"));
    const line = "0123456789abcdef".repeat(2 ** 16);
    await known(`${line}END`);
    expect(await alter("f.txt", "END", "end")).toBe("edited f.txt at line 1");
    expect(ws.text("f.txt") === `${line}end`).toBe(true);
  });
});

describe("[TL-1] line ends", () => {
  test("CR alone ends the lines of a file that has no LF: read numbers them, edit and write keep them", async () => {
    expect(await known("a\rb\rc")).toBe("1\ta\n2\tb\n3\tc");
    expect(await alter("f.txt", "a\nb", "a\nx\ny")).toBe("edited f.txt at line 1");
    expect(ws.text("f.txt")).toBe("a\rx\ry\rc");
    expect(await alter("f.txt", "y\r", "")).toBe("edited f.txt at line 3");
    expect(await put("f.txt", "1\n2\n")).toStartWith("replaced");
    expect(ws.text("f.txt")).toBe("1\r2\r");
    expect(await put("f.txt", "1\r\n2\n")).toStartWith("replaced");
    expect(ws.text("f.txt")).toBe("1\r\n2\n");
  });

  test("a CR within a line of a file with LF is a character like any other", async () => {
    await known("10%\r20%\rdone\nnext\n");
    expect(await alter("f.txt", "20%\rdone", "30%")).toBe("edited f.txt at line 1");
    expect(ws.text("f.txt")).toBe("10%\r30%\nnext\n");
  });

  test("a streamed file with CR alone is paged by its lines", async () => {
    ws.put("big.txt", Array.from({ length: 600_000 }, (_, index) => `line ${index}`).join("\r"));
    expect(await show("big.txt", { offset: 500_001, limit: 1 })).toStartWith("500001\tline 500000\n");
  });

  test("a streamed file whose first characters outside ASCII come late is read in the encoding it is edited in", async () => {
    const late = Buffer.concat([Buffer.from("ascii\n".repeat(800_000)), hex("d6d0 cec4 b1e0 c2eb 0a")]);
    ws.put("late.txt", late);
    expect(await show("late.txt", { offset: 800_001 })).toBe("800001\t中文编码\n(encoding: gbk)");
    expect(await alter("late.txt", "中文", "文")).toBe("edited late.txt at line 800001");
    expect(ws.bytes("late.txt").subarray(-7)).toEqual(hex("cec4 b1e0 c2eb 0a"));
  });

  test("form feed, vertical tab, U+2028 and U+0085 end no line", async () => {
    expect(await known("a\fb\u2028c\u0085d\ve\n")).toBe("1\ta\fb\u2028c\u0085d\ve");
  });

  test("replace_all replaces all of very many places", async () => {
    await known("a\n".repeat(150_000));
    const result = await ws.change(edit, { path: "f.txt", old_string: "a", new_string: "b", replace_all: true });
    expect(told(result)).toBe("edited f.txt in 150000 places, first at line 1");
    expect(ws.text("f.txt") === "b\n".repeat(150_000)).toBe(true);
    expect(await alter("f.txt", "b", "c")).toStartWith("E_INVALID_ARGS: old_string occurs 100000+ times in f.txt");
  });
});

describe("[TL-1] modes and links", () => {
  for (const mode of [0o644, 0o600, 0o4755, 0o2775, 0o1777, 0o444]) {
    test(`mode ${mode.toString(8)} survives edit and write, whatever the umask`, async () => {
      ws.put("f.txt", "a\n");
      chmodSync(ws.path("f.txt"), mode);
      await show("f.txt");
      const old = process.umask(0o077);
      try {
        // Root may write over 0444; for others it is refused, see permission.test.ts.
        const isRefused = mode === 0o444 && process.getuid?.() !== 0;
        expect(await alter("f.txt", "a", "b")).toStartWith(isRefused ? "E_IO" : "edited");
        expect(await put("f.txt", "c\n")).toStartWith(isRefused ? "E_IO" : "replaced");
      } finally {
        process.umask(old);
      }
      expect(lstatSync(ws.path("f.txt")).mode & 0o7777).toBe(mode);
    });
  }

  test("a new file has the mode the umask leaves", async () => {
    const old = process.umask(0o027);
    try {
      await put("new.txt", "x");
    } finally {
      process.umask(old);
    }
    expect(lstatSync(ws.path("new.txt")).mode & 0o7777).toBe(0o640);
  });

  test("an edit leaves the other names of a file alone and says so", async () => {
    ws.put("one.txt", "a\n");
    linkSync(ws.path("one.txt"), ws.path("two.txt"));
    await show("one.txt");
    expect(await alter("one.txt", "a", "b")).toBe(
      "edited one.txt at line 1\n(the file had 2 hard links; its other names keep the old content)",
    );
    expect([ws.text("one.txt"), ws.text("two.txt")]).toEqual(["b\n", "a\n"]);
  });

  test("a chain of links is followed and kept; a loop is named as one", async () => {
    ws.put("target.txt", "a\n");
    symlinkSync("second", ws.path("first"));
    symlinkSync("target.txt", ws.path("second"));
    symlinkSync("self", ws.path("self"));
    await show("first");
    expect(await alter("first", "a", "b")).toBe("edited first at line 1");
    expect([ws.text("target.txt"), readlinkSync(ws.path("first")), readlinkSync(ws.path("second"))]).toEqual([
      ...["b\n", "second", "target.txt"],
    ]);
    const loop = "E_IO: self is a loop of symbolic links";
    expect([await show("self"), await put("self", "x"), await alter("self", "a", "b")]).toEqual([loop, loop, loop]);
  });
});

describe("[TL-1] odd names and odd files", () => {
  const names = [
    "-rf",
    "a\tb",
    "a\nb",
    "😀.txt",
    " lead",
    "trail ",
    "a\u202eb",
    "*",
    "[x]",
    `a'b"c`,
    "n".repeat(255),
    "~",
  ];

  test("files of any name are made, read, edited, listed and found", async () => {
    for (const name of names) {
      expect(await put(name, "needle\n")).toStartWith("created ");
      expect(await alter(name, "needle", "found")).toStartWith("edited ");
      expect(await show(name)).toBe("1\tfound");
    }
    expect(new Set(readdirSync(ws.root))).toEqual(new Set(names));
    const shown = told(await ws.run(list, {})).split("\n");
    expect(shown).toContain("a\\nb");
    expect(shown.length).toBe(names.length);
    expect(told(await ws.run(glob, { pattern: "**" })).split("\n")).toEqual(shown);
    expect(told(await ws.run(grep, { pattern: "found" })).split("\n")).toEqual(shown.map((name) => `${name}:1:found`));
  });

  test("names that are not UTF-8 are shown with the mark of broken text and a note, and nothing fails", async () => {
    const raw = (...parts: readonly (string | number)[]): Buffer =>
      Buffer.concat(
        [`${ws.root}/`, ...parts].map((part) => (typeof part === "number" ? Buffer.of(part) : Buffer.from(part))),
      );
    writeFileSync(raw("a", 0xff, ".txt"), "needle\n");
    mkdirSync(raw("d", 0xfe));
    writeFileSync(raw("d", 0xfe, "/x"), "needle\n");
    const note = "(names with \ufffd are not UTF-8; reach those files by a shell command)";
    expect(told(await ws.run(list, {}))).toBe(`a\ufffd.txt\nd\ufffd\n${note}`);
    expect(told(await ws.run(glob, { pattern: "**" }))).toBe(`a\ufffd.txt\nd\ufffd/x\n${note}`);
    expect(told(await ws.run(grep, { pattern: "needle" }))).toBe(`a\ufffd.txt:1:needle\nd\ufffd/x:1:needle\n${note}`);
    expect(await show("a\ufffd.txt")).toStartWith("E_IO: a\ufffd.txt does not exist");
  });

  test("a name over 255 bytes or a path over 4096 is too long, and no folder is made for it", async () => {
    const long = "n".repeat(256);
    const deep = `${"d".repeat(200)}/`.repeat(25);
    for (const path of [long, `new/${long}`, `new/${"中".repeat(86)}/x`, `${deep}x`]) {
      expect(await put(path, "x")).toMatch(/^E_INVALID_ARGS: the path .* is too long$/s);
      expect(await show(path)).toMatch(/^E_INVALID_ARGS: the path .* is too long$/s);
    }
    expect(readdirSync(ws.root)).toEqual([]);
  });

  test("a path that ends in a slash is a folder, and is not written as a file", async () => {
    expect(await put("new/", "x")).toBe("E_INVALID_ARGS: new is a folder, not a file");
    expect(existsSync(ws.path("new"))).toBe(false);
  });

  test("sockets, pipes and devices are refused by every tool, without waiting", async () => {
    Bun.spawnSync(["mkfifo", ws.path("pipe")]);
    const server = Bun.listen({ unix: ws.path("socket"), socket: { data() {} } });
    try {
      for (const path of ["pipe", "socket", "/dev/zero", "/dev/null"]) {
        const refused = `E_INVALID_ARGS: ${path} is a pipe, device or socket, not a file`;
        const more = { allowedOutside: [path], readsByItself: true };
        expect(told(await ws.run(read, { path }, more))).toBe(refused);
        expect(told(await ws.run(grep, { path, pattern: "x" }, more))).toBe(refused);
        expect(told(await ws.plan(write, { path, content: "" }, more))).toBe(refused);
        expect(told(await ws.plan(edit, { path, old_string: "a", new_string: "b" }, more))).toBe(refused);
        expect(told(await ws.run(list, { path }, more))).toStartWith(`E_INVALID_ARGS: ${path} is not a folder\n`);
      }
    } finally {
      server.stop();
    }
  });

  test.skipIf(process.platform !== "linux")(
    "files that say they are empty and are not are read to their end",
    async () => {
      const path = `/proc/${process.pid}/status`;
      expect(told(await ws.run(read, { path, limit: 1 }, { allowedOutside: [path] }))).toStartWith("1\tName:\tbun");
    },
  );
});
