import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../../support/engine.ts";
import type { Step } from "../../support/scripted-reply.ts";
import { callAsNobody, canDrop, isRoot, nobody } from "../call.ts";
import { makeWorkspace, snapshot, type Workspace } from "../workspace.ts";

const call = (tool: string, input: Record<string, unknown>) => ({ tool, input });
const done: Step = { text: "done" };
const change = (name: string, old: string, fresh: string): string =>
  `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${old}\n+${fresh}\n`;

describe("[TP-1] a patch in a session", () => {
  test("that moves a file lets the next call change it under its new name without reading it again", async () => {
    const text =
      "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b/a.txt\n-a\n+A\n*** Delete File: c.txt\n*** End Patch\n";
    const calls = [
      call("read", { path: "a.txt" }),
      call("read", { path: "c.txt" }),
      call("patch", { patch: text }),
      call("edit", { path: "b/a.txt", old_string: "A", new_string: "AA" }),
      call("write", { path: "c.txt", content: "new" }),
    ];
    await using bench = new Bench([{ calls }, done]);
    bench.file("a.txt", "a\n");
    bench.file("c.txt", "c\n");
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    expect(seat.all("tool.settled").map(({ result }) => result.status)).toEqual(Array(5).fill("done"));
    expect(seat.last("task.summarized").summary.changed_files).toEqual([
      { path: "a.txt", change: "delete" },
      { path: "b/a.txt", change: "create" },
      { path: "c.txt", change: "modify" },
    ]);
    expect(readFileSync(join(bench.workspace, "b/a.txt"), "utf8")).toBe("AA\n");
  });

  test("[PO-1] is denied in plan mode, while its dry run is a read that is allowed and changes nothing", async () => {
    const patch = change("a.txt", "a", "b");
    const calls = [call("patch", { patch, dry_run: true }), call("patch", { patch })];
    await using bench = new Bench([{ calls: [call("read", { path: "a.txt" })] }, { calls }, done]);
    const path = bench.file("a.txt", "a\n");
    const seat = bench.open({ mode: "plan" });
    await seat.run("go");
    const results = new Map(seat.all("tool.settled").map(({ callId, result }) => [callId, result]));
    const [dry, real] = [results.get("r1/2/1"), results.get("r1/2/2")];
    expect([dry?.status, dry?.output, dry?.changes]).toEqual([
      "done",
      "dry run, nothing was changed\nM a.txt +1 -1",
      [],
    ]);
    expect(real?.status).toBe("denied");
    expect(seat.all("tool.intended").map(({ intent }) => intent.changes)).toEqual([[], []]);
    expect(readFileSync(path, "utf8")).toBe("a\n");
  });

  test("[TP-6] with a placeholder in an added line is refused, in a removed one it only fits nothing", async () => {
    const placeholder = "[REDACTED:token:0123abcd]";
    const calls = [
      call("read", { path: "a.txt" }),
      call("patch", { patch: change("a.txt", "a", placeholder) }),
      call("patch", { patch: change("a.txt", placeholder, "b") }),
    ];
    await using bench = new Bench([{ calls }, done]);
    const path = bench.file("a.txt", "a\n");
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    const errors = seat.all("tool.settled").map(({ result }) => result.error?.text.key);
    expect(errors).toEqual([undefined, "run.placeholder", "patch.no_match"]);
    expect(readFileSync(path, "utf8")).toBe("a\n");
  });

  test("[PO-7] that names one file outside among others is denied as a whole when nobody can be asked", async () => {
    const text = "*** Begin Patch\n*** Add File: in.txt\n+x\n*** Add File: ../out.txt\n+x\n*** End Patch\n";
    await using bench = new Bench([{ calls: [call("patch", { patch: text })] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    expect(seat.last("tool.settled").result.status).toBe("denied");
    expect([existsSync(join(bench.workspace, "in.txt")), existsSync(join(bench.root, "out.txt"))]).toEqual([
      false,
      false,
    ]);
  });

  test("[MD-6] that cannot be parsed is told so", async () => {
    await using bench = new Bench([{ calls: [call("patch", { patch: "please change a.txt" })] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    expect(seat.last("tool.settled").result.error).toMatchObject({
      code: "E_INVALID_ARGS",
      text: { key: "patch.none" },
    });
  });
});

describe.skipIf(!canDrop)("[RB-4] without permission in one of the folders", () => {
  let ws: Workspace;
  beforeEach(() => {
    ws = makeWorkspace();
    chmodSync(ws.root, 0o755);
  });
  afterEach(() => ws[Symbol.dispose]());

  const own = (...names: readonly string[]): void => {
    if (isRoot) for (const name of names) chownSync(ws.path(name), nobody, nobody);
  };

  test("nothing is changed, made or left in the others", () => {
    for (const name of ["open/1.txt", "open/2.txt", "shut/3.txt"]) ws.put(name, "x\n");
    own("open", "open/1.txt", "open/2.txt", "shut", "shut/3.txt");
    chmodSync(ws.path("shut"), 0o555);
    const before = snapshot(ws.root);
    const whole = (last: string): string =>
      `*** Begin Patch\n*** Add File: open/new/a.txt\n+a\n*** Update File: open/1.txt\n-x\n+y\n*** Delete File: open/2.txt\n${last}*** End Patch\n`;
    for (const [last, answer] of [
      ["*** Update File: shut/3.txt\n-x\n+y\n", "E_IO: no permission for shut/3.txt"],
      ["*** Add File: shut/new/4.txt\n+x\n", "E_IO: no permission for shut/new/4.txt"],
      ["*** Delete File: shut/3.txt\n", "E_IO: no permission for shut/3.txt"],
      ["*** Update File: shut/3.txt\n*** Move to: open/3.txt\n", "E_IO: no permission for shut/3.txt"],
    ] as const) {
      expect(callAsNobody(ws.root, "patch", { patch: whole(last) })).toBe(answer);
      expect(snapshot(ws.root)).toEqual(before);
    }
    expect(callAsNobody(ws.root, "patch", { patch: whole("") })).toBe("applied");
  });
});
