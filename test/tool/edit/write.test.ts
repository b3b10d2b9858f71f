import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { linkSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { write } from "../../../src/tool/edit/write.ts";
import { read } from "../../../src/tool/read/read.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const put = async (path: string, content: string): Promise<string> => told(await ws.change(write, { path, content }));

describe("write", () => {
  test("creates a file and its folders with the usual mode, exactly as given", async () => {
    expect(await put("a/b/c.txt", "x\r\ny\nz")).toBe("created a/b/c.txt (3 lines, 6 bytes)");
    expect(ws.text("a/b/c.txt")).toBe("x\r\ny\nz");
    expect(lstatSync(ws.path("a/b/c.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("planning changes nothing on disk", async () => {
    ws.put("old.txt", "old\n");
    await ws.run(read, { path: "old.txt" });
    const before = snapshot(ws.root);
    const plans = [
      await ws.plan(write, { path: "old.txt", content: "new" }),
      await ws.plan(write, { path: "n/e/w", content: "" }),
    ];
    expect(plans.map(({ ok }) => ok)).toEqual([true, true]);
    expect(snapshot(ws.root)).toEqual(before);
  });

  test("[RB-1] the plan holds the bytes before and after with their hashes", async () => {
    const real = ws.put("old.txt", "old", 0o640);
    await ws.run(read, { path: "old.txt" });
    const plan = await ws.plan(write, { path: "./old.txt", content: "newer" });
    const hash = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");
    expect(plan.ok && plan.value.changes).toEqual([
      {
        change: {
          path: "old.txt",
          real,
          before: { hash: hash("old"), size: 3, mode: 0o640 },
          after: { hash: hash("newer"), size: 5, mode: 0o640 },
        },
        beforeBytes: Buffer.from("old"),
        afterBytes: Buffer.from("newer"),
      },
    ]);
  });

  test("[TL-2] an existing file that was not read, or changed since, is a conflict, unless the caller reads by itself", async () => {
    ws.put("old.txt", "old");
    expect(await put("old.txt", "new")).toBe(
      "E_CONFLICT: old.txt exists and was not read in this session\nRead it with the read tool, then repeat the change.",
    );
    await ws.run(read, { path: "old.txt" });
    ws.put("old.txt", "theirs");
    expect(await put("old.txt", "new")).toStartWith("E_CONFLICT: old.txt changed on disk since it was read");
    expect(ws.text("old.txt")).toBe("theirs");
    expect(told(await ws.change(write, { path: "old.txt", content: "new" }, { readsByItself: true }))).toBe(
      "replaced old.txt (1 lines, 3 bytes)",
    );
  });

  test("what was written is known and may be written again", async () => {
    await put("a.txt", "1");
    expect(await put("a.txt", "2")).toStartWith("replaced a.txt");
    expect(ws.text("a.txt")).toBe("2");
  });

  test("the same content again is no change", async () => {
    await put("a.txt", "1");
    const plan = await ws.plan(write, { path: "a.txt", content: "1" });
    expect(plan.ok && plan.value).toEqual({
      changes: [],
      text: "a.txt already has this content",
      data: { path: "a.txt", created: false },
    });
  });
});

describe("[TL-1] write keeps what it was not asked to change", () => {
  const rewritten = async (before: Uint8Array | string, content: string): Promise<Buffer> => {
    ws.put("f.txt", before);
    await ws.run(read, { path: "f.txt" });
    const told_ = await put("f.txt", content);
    expect(told_).toStartWith("replaced");
    return ws.bytes("f.txt");
  };

  test("CRLF where the file had nothing else and the content has none of its own", async () => {
    expect(await rewritten("a\r\nb\r\n", "x\ny\n")).toEqual(Buffer.from("x\r\ny\r\n"));
    expect(await rewritten("a\r\nb\n", "x\ny\n")).toEqual(Buffer.from("x\ny\n"));
    expect(await rewritten("a\r\nb\r\n", "x\r\ny\n")).toEqual(Buffer.from("x\r\ny\n"));
    expect(await rewritten("a\nb\n", "x\r\n")).toEqual(Buffer.from("x\r\n"));
  });

  test("the byte order mark, once", async () => {
    expect(await rewritten("\ufeffa", "b")).toEqual(Buffer.from("\ufeffb"));
    expect(await rewritten("\ufeffa", "\ufeffc")).toEqual(Buffer.from("\ufeffc"));
  });

  test("the encoding", async () => {
    expect(await rewritten(Buffer.from("d6d0cec4", "hex"), "文")).toEqual(Buffer.from("cec4", "hex"));
    expect(await rewritten(Buffer.from("caf\xe9", "latin1"), "thé")).toEqual(Buffer.from("th\xe9", "latin1"));
    expect(await rewritten(Buffer.from("fffe6100", "hex"), "中")).toEqual(Buffer.from("fffe2d4e", "hex"));
    expect(await rewritten(Buffer.from("feff0061", "hex"), "中")).toEqual(Buffer.from("feff4e2d", "hex"));
  });

  test("mode bits", async () => {
    ws.put("run.sh", "a", 0o755);
    await ws.run(read, { path: "run.sh" });
    await put("run.sh", "b");
    expect(lstatSync(ws.path("run.sh")).mode & 0o777).toBe(0o755);
  });

  test("a character that does not fit is an error and nothing is written", async () => {
    ws.put("f.txt", Buffer.from("caf\xe9", "latin1"));
    await ws.run(read, { path: "f.txt" });
    expect(await put("f.txt", "中")).toBe(
      "E_INVALID_ARGS: the character 中 does not exist in latin-1, the encoding of f.txt",
    );
    expect(await put("new.txt", "\ud800")).toStartWith("E_INVALID_ARGS");
    expect(snapshot(ws.root)).toEqual({ "f.txt": "644 caf\xe9" });
  });
});

describe("write and links", () => {
  test("through a link inside: the target changes, the link stays; through a dangling one: the target is made", async () => {
    ws.put("target.txt", "old");
    symlinkSync("target.txt", ws.path("link.txt"));
    symlinkSync("made/by/link.txt", ws.path("dangling.txt"));
    await ws.run(read, { path: "link.txt" });
    await put("link.txt", "new");
    await put("dangling.txt", "made");
    expect([ws.text("target.txt"), readlinkSync(ws.path("link.txt"))]).toEqual(["new", "target.txt"]);
    expect([ws.text("made/by/link.txt"), readlinkSync(ws.path("dangling.txt"))]).toEqual(["made", "made/by/link.txt"]);
  });

  test("[PO-7] out of the workspace is refused, dangling or not", async () => {
    symlinkSync("/tmp", ws.path("out"));
    symlinkSync("../nowhere.txt", ws.path("dangling"));
    const answers = [
      await put("out/x.txt", ""),
      await put("dangling", ""),
      await put("../x.txt", ""),
      await put(`${ws.root}other`, ""),
    ];
    expect(answers.map((answer) => answer.slice(0, 15))).toEqual(Array(4).fill("E_POLICY_DENIED"));
  });

  test("the result says that other hard links keep the old content", async () => {
    ws.put("one.txt", "old");
    linkSync(ws.path("one.txt"), ws.path("two.txt"));
    await ws.run(read, { path: "one.txt" });
    expect(await put("one.txt", "new")).toBe(
      "replaced one.txt (1 lines, 3 bytes)\n(the file had 2 hard links; its other names keep the old content)",
    );
  });
});

test("a folder, a path below a file, and binary data are not written over", async () => {
  mkdirSync(ws.path("folder"));
  ws.put("file", "x");
  ws.put("data", Buffer.from([0, 1, 2]));
  expect(await put("folder", "")).toBe("E_INVALID_ARGS: folder is a folder, not a file");
  expect(await put("file/below.txt", "")).toBe(
    "E_IO: file/below.txt cannot exist: part of the path is a file, not a folder",
  );
  expect(told(await ws.plan(write, { path: "data", content: "" }, { readsByItself: true }))).toStartWith(
    "E_INVALID_ARGS: data is not text",
  );
});
