import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeWorkspace, snapshot, type Workspace } from "./workspace.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65534;
const canDrop = !isRoot || Bun.which("setpriv") !== null;

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
  chmodSync(ws.root, 0o755);
});
afterAll(() => ws[Symbol.dispose]());

/** As a user whom the mode bits bind: root ignores them. */
function call(tool: string, input: object): string {
  const drop = isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
  const script = join(import.meta.dir, "call.ts");
  const child = Bun.spawnSync([...drop, process.execPath, script, ws.root, tool, JSON.stringify(input)], {
    env: { PATH: process.env["PATH"] ?? "", HOME: ws.root, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
  });
  return child.exitCode === 0 ? child.stdout.toString() : child.stderr.toString();
}

const own = (path: string): string => {
  if (isRoot) chownSync(path, nobody, nobody);
  return path;
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
    expect(call("grep", { pattern: "secret" })).toBe("open.txt:1:secret\n(some files could not be read)");
  });

  test("a write into a closed folder changes nothing and leaves nothing", () => {
    own(ws.put("fixed/a.txt", "a"));
    own(ws.path("fixed"));
    chmodSync(ws.path("fixed"), 0o555);
    const before = snapshot(ws.path("fixed"));
    expect(call("write", { path: "fixed/new/b.txt", content: "b" })).toBe("E_IO: no permission for fixed/new/b.txt");
    expect(call("edit", { path: "fixed/a.txt", old_string: "a", new_string: "b" })).toBe("E_IO: no permission for fixed/a.txt");
    expect(snapshot(ws.path("fixed"))).toEqual(before);
  });

  test("a write-protected file is not replaced, though its folder would allow it", () => {
    own(ws.put("box/keep.txt", "a"));
    own(ws.path("box"));
    chmodSync(ws.path("box/keep.txt"), 0o444);
    expect(call("write", { path: "box/keep.txt", content: "b" })).toBe("E_IO: box/keep.txt is write-protected");
    expect(call("edit", { path: "box/keep.txt", old_string: "a", new_string: "b" })).toBe("E_IO: box/keep.txt is write-protected");
    expect(snapshot(ws.path("box"))).toEqual({ "keep.txt": "444 a" });
  });

  test("what is allowed works", () => {
    own(ws.put("mine/a.txt", "a"));
    own(ws.path("mine"));
    expect(call("edit", { path: "mine/a.txt", old_string: "a", new_string: "b" })).toBe("applied");
    expect(ws.text("mine/a.txt")).toBe("b");
  });
});
