import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { undoable } from "../../../src/engine/undo/undoable.ts";
import { HistoryFold } from "../../../src/machine/history/history.ts";
import { freshTask } from "../../../src/machine/history/task-record.ts";
import { emptySession } from "../../../src/machine/state.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const done = { text: "done" };
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
const write = (path: string) => call("write", { path, content: `${path}\n` });

const listed = (seat: Seat) => seat.engine.undoable().map(({ n, text, files }) => [n, text, files]);

describe("[RB-2] what /undo could take back", () => {
  test("is every task that changed files, the newest first, under the number that takes it back", async () => {
    await using bench = new Bench([
      { when: "first", steps: [write("deep/a.txt"), write("b.txt"), write("b.txt"), done] },
      { when: "look", steps: [call("list", {}), done] },
      { when: "second", steps: [write("c.txt"), done] },
    ]);
    const seat = bench.open({ mode: "yolo" });
    expect(seat.engine.undoable()).toEqual([]);
    await seat.run("the first\nof all");
    await seat.run("look");
    await seat.run("the second");
    await seat.run("!mkdir x && echo 1 > x/d.txt && mkfifo pipe");
    expect(listed(seat)).toEqual([
      [1, "mkdir x && echo 1 > x/d.txt && mkfifo pipe", ["x/d.txt", "pipe"]],
      [2, "the second", ["c.txt"]],
      [3, "the first", ["deep/a.txt", "b.txt"]],
    ]);
    const times = seat.engine.undoable().map(({ at }) => at);
    const begun = seat.all("task.started").map(({ at }) => at);
    expect(times).toEqual([begun[3], begun[2], begun[0]] as number[]);
    await seat.run("/undo 2");
    expect(["x/d.txt", "c.txt", "b.txt"].map((name) => existsSync(join(bench.workspace, name)))).toEqual([
      false,
      false,
      true,
    ]);
    expect(listed(seat)).toEqual([[1, "the first", ["deep/a.txt", "b.txt"]]]);
    await seat.run("/redo");
    expect(listed(seat).length).toBe(3);
  });

  test("is the same after a resume, and without the task that runs", async () => {
    await using bench = new Bench([
      [write("a.txt"), done],
      [write("b.txt"), done],
      [write("last.txt"), { text: "never", delayMs: 60_000 }],
    ]);
    const first = bench.open({ mode: "auto-edit" });
    await first.run("one");
    await first.run("two");
    const before = first.engine.undoable();
    const { id } = first.engine.state();
    await first.close();
    const later = bench.open({ mode: "auto-edit" });
    await later.engine.resume(id);
    expect([later.engine.undoable(), before.length]).toEqual([before, 2]);
    await later.engine.runInput("last");
    await later.event("tool.settled");
    expect(later.engine.undoable()).toEqual(before);
    later.engine.cancel("esc");
    await later.engine.idle();
    expect(later.engine.undoable()[0]).toMatchObject({ n: 1, text: "last", files: ["last.txt"] });
  });

  test("is never more than fifty tasks", () => {
    const history = new HistoryFold();
    for (let n = 1; n <= 60; n++) {
      const task = freshTask(`t${n}`, `task ${n}`, null, n);
      task.changes.push({ path: "a", real: "/a", before: null, after: { hash: "h", size: 1, mode: 0o644 } });
      history.tasks.push(task);
    }
    const all = undoable({ history, state: emptySession });
    expect([all.length, all[0], all[49]]).toEqual([
      50,
      { n: 1, text: "task 60", files: ["a"], at: 60 },
      { n: 50, text: "task 11", files: ["a"], at: 11 },
    ]);
  });

  test("[TP-6] names no secret that was in a message", async () => {
    const value = ["tall", "trees", "and", "small", "birds", "31"].join("-");
    await using bench = new Bench([[write("a.txt"), done]]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(`use password=${value} for it`);
    expect(seat.engine.undoable()[0]?.text).toMatch(/^use password=\[REDACTED:\w+:\w+\] for it$/);
  });
});
