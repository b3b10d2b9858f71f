import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallId } from "../../../src/contract/ids.ts";
import { sh, treeOf } from "../../platform/changes/ground.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const done = { text: "done" };
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
const read = (path: string) => call("read", { path });

/** Starts a task and looks at what it asks about. */
async function asked(seat: Seat, text: string): Promise<{ readonly callId: CallId; readonly preview: string | null }> {
  await seat.engine.runInput(text);
  await seat.until(() => seat.approval() !== null);
  const callId = seat.approval()?.callId;
  if (callId === undefined) throw new Error("nothing is asked");
  return { callId, preview: await seat.engine.preview(callId, "forPerson") };
}

async function leave(seat: Seat): Promise<void> {
  seat.engine.cancel("esc");
  await seat.engine.idle();
}

describe("[PO-6] the preview of an approval", () => {
  test("is what the call then does, to the letter, and asking for it changes nothing", async () => {
    const edit = call("edit", { path: "a.txt", old_string: "two", new_string: "2" });
    await using bench = new Bench([[read("a.txt"), edit, done]]);
    bench.file("a.txt", "one\ntwo\nthree\n");
    const seat = bench.open({}, { interactive: true });
    const before = treeOf(bench.workspace);
    const { callId, preview } = await asked(seat, "go");
    expect(preview).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
`);
    const stored = seat.events.length;
    expect(
      await Promise.all([seat.engine.preview(callId, "forPerson"), seat.engine.preview(callId, "forPerson")]),
    ).toEqual([preview, preview]);
    expect([treeOf(bench.workspace), seat.events.length]).toEqual([before, stored]);
    expect(await seat.engine.changesOf(callId)).toBe(null);
    seat.engine.answer(callId, { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect(await seat.engine.changesOf(callId)).toBe(preview);
    expect(await seat.engine.preview(callId, "forPerson")).toBe(null);
  });

  test("of a patch shows every file: created, changed, deleted, moved and changed at once", async () => {
    const patch = `*** Begin Patch
*** Add File: new.txt
+fresh
*** Update File: a.txt
@@
-two
+2
*** Delete File: b.txt
*** Update File: c.txt
*** Move to: deep/d.txt
@@
-old
+new
*** End Patch
`;
    await using bench = new Bench([[read("a.txt"), read("b.txt"), read("c.txt"), call("patch", { patch }), done]]);
    for (const [name, text] of [
      ["a.txt", "one\ntwo\n"],
      ["b.txt", "b\n"],
      ["c.txt", "1\n2\n3\nold\n5\n"],
    ] as const)
      bench.file(name, text);
    const seat = bench.open({}, { interactive: true });
    const { preview } = await asked(seat, "go");
    expect(preview).toBe(`diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,1 @@
+fresh
diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/b.txt b/b.txt
deleted file mode 100644
--- a/b.txt
+++ /dev/null
@@ -1,1 +0,0 @@
-b
diff --git a/c.txt b/deep/d.txt
rename from c.txt
rename to deep/d.txt
--- a/c.txt
+++ b/deep/d.txt
@@ -1,5 +1,5 @@
 1
 2
 3
-old
+new
 5
`);
    await leave(seat);
  });

  test("of /undo --all shows what would be dropped", async () => {
    await using bench = new Bench([]);
    bench.file("a.txt", "committed\n");
    sh("git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first", bench.workspace);
    bench.file("a.txt", "mine\n");
    mkdirSync(join(bench.workspace, "sub"));
    bench.file("sub/b.txt", "mine too\n");
    const seat = bench.open({}, { interactive: true });
    const before = treeOf(bench.workspace);
    const { preview } = await asked(seat, "/undo --all");
    expect(preview?.split("\n").filter((line) => /^[-+]/.test(line))).toEqual([
      ...["--- a/a.txt", "+++ b/a.txt", "-mine", "+committed"],
      ...["--- a/sub/b.txt", "+++ /dev/null", "-mine too"],
    ]);
    expect(treeOf(bench.workspace)).toEqual(before);
    await leave(seat);
  });

  test("stays as it was planned, whatever becomes of the files: after a yes that is done, or nothing", async () => {
    const edit = call("edit", { path: "a.txt", old_string: "two", new_string: "2" });
    await using bench = new Bench([[read("a.txt"), edit, done]]);
    const path = bench.file("a.txt", "one\ntwo\n");
    const seat = bench.open({}, { interactive: true });
    const { callId, preview } = await asked(seat, "go");
    expect(preview).not.toBe(null);
    writeFileSync(path, "somebody else was here\n");
    expect(await seat.engine.preview(callId, "forPerson")).toBe(preview);
    seat.engine.answer(callId, { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect(seat.last("tool.settled").result.error?.code).toBe("E_CONFLICT");
    expect(treeOf(bench.workspace)).toEqual({ "a.txt": "644 somebody else was here\n" });
  });

  test("asked for at the moment of the answer, it disturbs nothing", async () => {
    const patch = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n";
    await using bench = new Bench([[call("patch", { patch }), done]]);
    const seat = bench.open({}, { interactive: true });
    const { callId, preview } = await asked(seat, "go");
    const before = seat.engine.preview(callId, "forPerson");
    seat.engine.answer(callId, { answer: "yes", by: "person" });
    const after = seat.engine.preview(callId, "forPerson");
    await seat.engine.idle();
    expect([seat.last("tool.settled").result.status, treeOf(bench.workspace)]).toEqual([
      "done",
      { "new.txt": "644 x\n" },
    ]);
    // By then the file may have been there: what would be done is then nothing.
    for (const one of await Promise.all([before, after])) expect([preview, null]).toContain(one);
    expect(seat.all("tool.intended").length).toBe(1);
  });

  test("is nothing for a command, a question, a call that is not asked about, or no session at all", async () => {
    await using bench = new Bench([[call("bash", { command: "touch x" }), done]]);
    const seat = bench.open({}, { interactive: true });
    expect(await seat.engine.preview("r1/1/1", "forPerson")).toBe(null);
    expect((await asked(seat, "go")).preview).toBe(null);
    expect(await seat.engine.preview("r9/9/9", "forPerson")).toBe(null);
    await leave(seat);
  });

  test("[TP-6] hides nothing of what will be written behind a placeholder; what was done is shown like a result, without secrets", async () => {
    const value = ["open", "sesame", "of", "the", "cave", "77"].join("-");
    const content = `password = "${value}"\nport = 80\n`;
    await using bench = new Bench([[call("write", { path: "conf.ini", content }), done]]);
    const seat = bench.open({}, { interactive: true });
    const { callId, preview } = await asked(seat, "go");
    expect(preview).toContain(value);
    seat.engine.answer(callId, { answer: "yes", by: "person" });
    await seat.engine.idle();
    const shown = await seat.engine.changesOf(callId);
    expect(shown).not.toContain(value);
    expect(shown?.split("\n").slice(4)).toEqual([
      "@@ -0,0 +1,2 @@",
      expect.stringMatching(/^\+password = "\[REDACTED:\w+:\w+\]"$/),
      "+port = 80",
      "",
    ]);
  });

  test("shows a call inside another one too", async () => {
    const write = call("write", { path: "made.txt", content: "x\n" });
    await using bench = new Bench([
      { when: "hand it on", steps: [call("task", { kind: "general", title: "t", prompt: "inner work" }), done] },
      { when: "inner work", steps: [write, done] },
    ]);
    const seat = bench.open({}, { interactive: true });
    const { callId, preview } = await asked(seat, "hand it on");
    expect(preview?.split("\n").slice(-3)).toEqual(["@@ -0,0 +1,1 @@", "+x", ""]);
    seat.engine.answer(callId, { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect(await seat.engine.changesOf(callId)).toBe(preview);
  });
});

describe("[RB-1] what a call did", () => {
  test("is shown of commands whose changes were found, with what could not be kept by name", async () => {
    const command = "echo 2 > a.txt; mv b.txt c.txt; mkfifo pipe; mkdir empty";
    await using bench = new Bench([[call("bash", { command }), done]]);
    bench.file("a.txt", "1\n");
    bench.file("b.txt", "b\n");
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    const { callId } = seat.last("tool.settled");
    expect(await seat.engine.changesOf(callId)).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,1 +1,1 @@
-1
+2
diff --git a/b.txt b/c.txt
rename from b.txt
rename to c.txt
--- a/b.txt
+++ b/c.txt
\\ pipe: a pipe, device or socket
`);
  });

  test("is the same in a session that was resumed, and does not follow what became of the file since", async () => {
    await using bench = new Bench([[call("write", { path: "a.txt", content: "1\n" }), done]]);
    const first = bench.open({ mode: "auto-edit" });
    await first.run("go");
    const { callId } = first.last("tool.settled");
    const shown = await first.engine.changesOf(callId);
    const { id } = first.engine.state();
    await first.close();
    bench.file("a.txt", "something else\n");
    const later = bench.open();
    await later.engine.resume(id);
    expect([await later.engine.changesOf(callId), shown?.includes("+1\n")]).toEqual([shown, true]);
    await later.engine.newSession();
    expect(await later.engine.changesOf(callId)).toBe(null);
  });

  test("is the undoing too, and nothing for a call that only looked", async () => {
    const write = call("write", { path: "a.txt", content: "1\n" });
    await using bench = new Bench([[call("list", {}), write, done]]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    const ids = seat.all("tool.settled").map(({ callId }) => callId);
    await seat.run("/undo");
    const shown = await Promise.all([...ids, seat.last("tool.settled").callId].map((id) => seat.engine.changesOf(id)));
    expect(shown.map((one) => one?.split("\n").filter((line) => /^[-+]/.test(line)))).toEqual([
      undefined,
      ["--- /dev/null", "+++ b/a.txt", "+1"],
      ["--- a/a.txt", "+++ /dev/null", "-1"],
    ]);
  });

  test("is shown for a task as what is left of it all", async () => {
    const write = (path: string, content: string) => call("write", { path, content });
    await using bench = new Bench([
      [write("a.txt", "1\n2\n"), done],
      [
        write("a.txt", "1\n3\n"),
        write("b.txt", "b\n"),
        call("bash", { command: "rm b.txt" }),
        write("a.txt", "1\n4\n"),
        done,
      ],
    ]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    await seat.run("go on");
    const shown = await seat.engine.changesOf(seat.last("task.ended").taskId);
    expect(shown?.split("\n").slice(1)).toEqual([
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,2 @@",
      " 1",
      "-2",
      "+4",
      "",
    ]);
  });
});
