import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { callAsNobody, canDrop, isRoot, nobody } from "./call.ts";
import { makeWorkspace, snapshot, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
  chmodSync(ws.root, 0o755);
});
afterAll(() => ws[Symbol.dispose]());

const call = (tool: string, input: object): string => callAsNobody(ws.root, tool, input);

const own = (path: string): void => {
  if (isRoot) chownSync(path, nobody, nobody);
};

describe.skipIf(!canDrop)("without permission", () => {
  test("read, list and grep say so instead of failing", () => {
    own(ws.put("closed.txt", "secret"));
    chmodSync(ws.path("closed.txt"), 0);
    mkdirSync(ws.path("shut"));
    ws.put("shut/x.txt", "secret");
    own(ws.path("shut"));
    chmodSync(ws.path("shut"), 0);
    ws.put("open.txt", "secret");
    expect(call("read", { path: "closed.txt" })).toBe("E_IO: no permission for closed.txt");
    expect(call("read", { path: "shut/x.txt" })).toBe("E_IO: no permission for shut/x.txt");
    expect(call("list", { path: "shut" })).toBe("E_IO: no permission for shut");
    expect(call("grep", { pattern: "secret" })).toBe(
      "open.txt:1:secret\n(some files or ignore rules could not be read)",
    );
  });

  test("a write into a closed folder changes nothing and leaves nothing", () => {
    own(ws.put("fixed/a.txt", "a"));
    own(ws.path("fixed"));
    chmodSync(ws.path("fixed"), 0o555);
    const before = snapshot(ws.path("fixed"));
    expect(call("write", { path: "fixed/new/b.txt", content: "b" })).toBe("E_IO: no permission for fixed/new/b.txt");
    expect(call("edit", { path: "fixed/a.txt", old_string: "a", new_string: "b" })).toBe(
      "E_IO: no permission for fixed/a.txt",
    );
    expect(snapshot(ws.path("fixed"))).toEqual(before);
  });

  test("a write-protected file is not replaced, though its folder would allow it", () => {
    own(ws.put("box/keep.txt", "a"));
    own(ws.path("box"));
    chmodSync(ws.path("box/keep.txt"), 0o444);
    expect(call("write", { path: "box/keep.txt", content: "b" })).toBe("E_IO: box/keep.txt is write-protected");
    expect(call("edit", { path: "box/keep.txt", old_string: "a", new_string: "b" })).toBe(
      "E_IO: box/keep.txt is write-protected",
    );
    expect(snapshot(ws.path("box"))).toEqual({ "keep.txt": "444 a" });
  });

  test("what is allowed works", () => {
    own(ws.put("mine/a.txt", "a"));
    own(ws.path("mine"));
    expect(call("edit", { path: "mine/a.txt", old_string: "a", new_string: "b" })).toBe("applied");
    expect(ws.text("mine/a.txt")).toBe("b");
  });
});
