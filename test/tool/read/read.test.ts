import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from "node:fs";
import { read } from "../../../src/tool/read/read.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const show = async (path: string, more: object = {}): Promise<string> => told(await ws.run(read, { path, ...more }));
const sha = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

describe("[TL-1] what read shows", () => {
  test("lines with their numbers, with and without a final line break", async () => {
    ws.put("a.txt", "one\ntwo\n");
    ws.put("b.txt", "one\ntwo");
    ws.put("c.txt", "\n\nx\n\n");
    expect(await show("a.txt")).toBe("1\tone\n2\ttwo");
    expect(await show("b.txt")).toBe("1\tone\n2\ttwo");
    expect(await show("c.txt")).toBe("1\t\n2\t\n3\tx\n4\t");
  });

  test("an empty file is said to be empty, and is known afterwards", async () => {
    const real = ws.put("empty.txt", "");
    const result = await ws.run(read, { path: "empty.txt" });
    expect(told(result)).toBe("(empty file)");
    expect(result.ok && result.value.seen).toEqual([{ real, hash: sha("") }]);
  });

  test("CRLF and a byte order mark are not shown, other encodings are named", async () => {
    ws.put("crlf.txt", "a\r\nb\r\n");
    ws.put("bom.txt", "\ufeffa\n");
    ws.put("utf16.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("中\r\nb", "utf16le")]));
    ws.put("gbk.txt", Buffer.from("d6d0cec40a", "hex"));
    ws.put("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
    expect(await show("crlf.txt")).toBe("1\ta\n2\tb");
    expect(await show("bom.txt")).toBe("1\ta");
    expect(await show("utf16.txt")).toBe("1\t中\n2\tb\n(encoding: utf-16le)");
    expect(await show("gbk.txt")).toBe("1\t中文\n(encoding: gbk)");
    expect(await show("latin.txt")).toBe("1\tcafé\n(encoding: latin-1)");
  });

  test("the hash of the whole file, even when one line of it was read", async () => {
    const real = ws.put("hash.txt", "\ufeffa\r\nb\n");
    const result = await ws.run(read, { path: "hash.txt", limit: 1 });
    expect(result.ok && result.value.seen).toEqual([{ real, hash: sha("\ufeffa\r\nb\n") }]);
  });
});

describe("[TP-6] paging", () => {
  test("offset and limit choose lines, and the end says how to go on", async () => {
    ws.put("ten.txt", Array.from({ length: 10 }, (_, index) => `l${index + 1}\n`).join(""));
    expect(await show("ten.txt", { offset: 4, limit: 2 })).toBe(
      "4\tl4\n5\tl5\n(lines 4-5 of 10; continue with offset=6)",
    );
    expect(await show("ten.txt", { offset: 9 })).toBe("9\tl9\n10\tl10");
    expect(await show("ten.txt", { offset: 11 })).toBe(
      "E_INVALID_ARGS: ten.txt has 10 lines; offset 11 is past the end",
    );
  });

  test("at most 2000 lines by default", async () => {
    ws.put("many.txt", "x\n".repeat(2001));
    const lines = (await show("many.txt")).split("\n");
    expect(lines.slice(-2)).toEqual(["2000\tx", "(lines 1-2000 of 2001; continue with offset=2001)"]);
  });

  for (const [size, unit] of [
    ["small", 1],
    ["streamed", 30],
  ] as const) {
    test(`the pages of a ${size} file, put together, are the file, and none is over 28 KiB`, async () => {
      const lines = Array.from({ length: 3000 * unit }, (_, index) => `${index} ${"中é".repeat(index % 40)}`);
      ws.put("pages.txt", lines.join("\n"));
      const got: string[] = [];
      for (let offset = 1; offset <= lines.length && offset < 20_000; ) {
        const text = await show("pages.txt", { offset });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(28 * 1024 + 100);
        const page = text.split("\n").filter((line) => !line.startsWith("("));
        got.push(...page.map((line) => line.slice(line.indexOf("\t") + 1)));
        offset += page.length;
      }
      expect(got).toEqual(lines.slice(0, got.length));
      expect(got.length).toBeGreaterThanOrEqual(Math.min(lines.length, 20_000));
    });
  }

  test("a long line is cut with a note, and a line of 8 MiB does not hide the next one", async () => {
    const rest = "(a cut line goes on with its number as offset and column=2001)";
    ws.put("long.txt", `${"x".repeat(3000)}\nnext\n`);
    ws.put("huge-line.txt", `${"é".repeat(4 * 2 ** 20)}\r\nnext\n`);
    expect(await show("long.txt")).toBe(`1\t${"x".repeat(2000)} [line cut at 2000 characters]\n2\tnext\n${rest}`);
    expect(await show("huge-line.txt")).toBe(`1\t${"é".repeat(2000)} [line cut at 2000 characters]\n2\tnext\n${rest}`);
  });

  test("a streamed UTF-16 file is split at its own line breaks", async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `ਊ${index}中ਊĀਊ`);
    const body = Buffer.from(lines.join("\r\n"), "utf16le");
    ws.put("le.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), body]));
    ws.put("be.txt", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(body).swap16()]));
    const wanted = `150000\t${lines[149_999]}\n(lines 150000-150000 of `;
    expect(await show("le.txt", { offset: 150_000, limit: 1 })).toStartWith(wanted);
    expect(await show("be.txt", { offset: 150_000, limit: 1 })).toStartWith(wanted);
    expect(await show("le.txt", { offset: 200_000 })).toBe(`200000\t${lines.at(-1)}\n(encoding: utf-16le)`);
    expect(await show("le.txt", { offset: 200_001 })).toContain("has 200000 lines");
  });

  test("a streamed file has the hash of all its bytes", async () => {
    const content = "0123456789abcde\n".repeat(400_000);
    const real = ws.put("stream.txt", content);
    const result = await ws.run(read, { path: "stream.txt", limit: 1 });
    expect(result.ok && result.value.seen).toEqual([{ real, hash: sha(content) }]);
  });

  test("a file of 1 GiB is paged without being loaded, and is not offered for editing", async () => {
    const fd = openSync(ws.path("sparse.txt"), "w");
    writeSync(fd, "first\nsecond\n".padEnd(9000, "x\n"));
    ftruncateSync(fd, 2 ** 30);
    closeSync(fd);
    const before = process.memoryUsage().rss;
    const result = await ws.run(read, { path: "sparse.txt", limit: 2 });
    expect(told(result)).toBe(
      "1\tfirst\n2\tsecond\n(lines 1-2 of 1.0 GiB; continue with offset=3)\n(1.0 GiB: too big for edit and write; change it with a shell command)",
    );
    expect(result.ok && "seen" in result.value).toBe(false);
    const last = await show("sparse.txt", { offset: 100_000 });
    expect(last).toStartWith("E_INVALID_ARGS: sparse.txt has ");
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 2 ** 20);
  });

  test("a cancelled read of a huge file stops", async () => {
    const cancel = new AbortController();
    const reading = ws.run(read, { path: "sparse.txt", offset: 100_000 }, { signal: cancel.signal });
    cancel.abort();
    expect(told(await reading)).toStartWith("E_CANCELLED");
  });
});

describe("what read refuses", () => {
  test("a folder, with the advice to list it", async () => {
    ws.put("folder/x", "");
    expect(await show("folder")).toBe("E_INVALID_ARGS: folder is a folder, not a file\nUse list to see its contents.");
  });

  test("a missing file, naming the nearest ones", async () => {
    ws.put("near/settings.ts", "");
    ws.put("near/setings.test.ts", "");
    ws.put("near/other.md", "");
    expect(await show("near/setting.ts")).toBe(
      "E_IO: near/setting.ts does not exist; nearest names there: settings.ts, setings.test.ts",
    );
    expect(await show("nowhere/at/all")).toBe("E_IO: nowhere/at/all does not exist");
  });

  test("binary data, with its kind and size", async () => {
    ws.put("a.zip", Buffer.from("504b03040a0000000000", "hex"));
    ws.put("a.out", Buffer.from("7f454c4602010100", "hex"));
    expect(await show("a.zip")).toBe(
      "E_INVALID_ARGS: a.zip is not text: ZIP archive, 10 bytes\nUse a shell command for it.",
    );
    expect(await show("a.out")).toStartWith("E_INVALID_ARGS: a.out is not text: ELF program, 8 bytes");
  });

  test("a pipe, without waiting for a writer", async () => {
    Bun.spawnSync(["mkfifo", ws.path("pipe")]);
    expect(await show("pipe")).toBe("E_INVALID_ARGS: pipe is a pipe, device or socket, not a file");
  });

  test("[PO-7] a device behind a link, and a file behind a link that leads out", async () => {
    symlinkSync("/dev/zero", ws.path("zero"));
    symlinkSync("/etc/passwd", ws.path("passwd"));
    expect(await show("zero")).toStartWith("E_POLICY_DENIED: zero leads to /dev/zero, outside the workspace");
    expect(await show("passwd")).toStartWith("E_POLICY_DENIED: passwd leads to /etc/passwd, outside the workspace");
    expect(await show("/etc/passwd")).toStartWith("E_POLICY_DENIED");
  });

  test("[PO-7] outside, exactly the file that was judged and allowed is read, and no other beside it", async () => {
    const other = makeWorkspace();
    try {
      const allowed = other.put("allowed.txt", "yes\n");
      const beside = other.put("allowed.txt.bak", "no\n");
      const more = { allowedOutside: [allowed] };
      expect(told(await ws.run(read, { path: allowed }, more))).toBe("1\tyes");
      expect(told(await ws.run(read, { path: beside }, more))).toStartWith("E_POLICY_DENIED");
    } finally {
      other[Symbol.dispose]();
    }
  });

  test("a file behind a link that stays inside is read, and known by its real path", async () => {
    const real = ws.put("target.txt", "t\n");
    symlinkSync("target.txt", ws.path("link.txt"));
    const result = await ws.run(read, { path: "link.txt" });
    expect(told(result)).toBe("1\tt");
    expect(result.ok && result.value.seen?.[0]?.real).toBe(real);
  });

  test("arguments that make no sense", async () => {
    ws.put("x.txt", "x");
    expect(await show("x.txt", { offset: 0 })).toBe(
      "E_INVALID_ARGS: invalid arguments for read: offset must be at least 1",
    );
    expect(await show("x\0.txt")).toBe("E_INVALID_ARGS: the path x\\u0000.txt contains a NUL character");
  });
});
