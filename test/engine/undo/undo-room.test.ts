import { describe, expect, test } from "bun:test";
import { CoderError } from "../../../src/contract/error.ts";
import type { FileStamp } from "../../../src/contract/message.ts";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import { UndoRoom } from "../../../src/engine/undo/undo-room.ts";
import { HistoryFold } from "../../../src/machine/history/history.ts";
import type { TaskDraft } from "../../../src/machine/history/task-record.ts";
import { Bench } from "../../support/engine.ts";

const stamp = (hash: string | null, size = 10): FileStamp | null =>
  hash === null ? null : { hash, size, mode: 0o644 };

/** Tasks of one change each, from one content to another. */
function historyOf(...pairs: readonly (readonly [string | null, string | null])[]): HistoryFold {
  const history = new HistoryFold();
  for (const [before, after] of pairs) {
    const change = { path: "a", real: "/a", before: stamp(before), after: stamp(after) };
    history.tasks.push({ changes: [change] } as unknown as TaskDraft);
  }
  return history;
}

describe("[RB-1] what a session keeps to take back is capped", () => {
  test("beyond the limit the oldest tasks' contents go, once, but none that a newer task needs", () => {
    const forgotten: (readonly string[])[] = [];
    const room = new UndoRoom((hashes) => forgotten.push([...hashes].sort()), 35);
    room.tidy(historyOf([null, "a"], ["a", "b"], ["b", "c"]));
    expect(forgotten).toEqual([]);
    const long = historyOf([null, "a"], ["a", "b"], ["b", "c"], ["c", "d"]);
    room.tidy(long);
    room.tidy(long);
    expect(forgotten).toEqual([["a"]]);
    room.tidy(historyOf(["a", "b"], ["b", "c"], ["c", "d"], ["x", "y"]));
    expect(forgotten.slice(1)).toEqual([["b", "c", "d"]]);
    // What was let go, came again, and is old again.
    room.tidy(historyOf(["a", "b"]));
    room.tidy(historyOf(["a", "b"], ["x", "y"]));
    expect(forgotten.slice(2)).toEqual([["a", "b"]]);
  });

  test("the newest task keeps all of its own, and a task that changed nothing costs nothing", () => {
    const forgotten: string[] = [];
    const room = new UndoRoom((hashes) => forgotten.push(...hashes), 5);
    room.tidy(historyOf(["a", "b"]));
    const idle = historyOf(["a", "b"], ["c", "d"]);
    idle.tasks.push({ changes: [] as const } as unknown as TaskDraft);
    room.tidy(idle);
    expect(forgotten).toEqual([]);
  });

  test("a store that is busy is asked again after the next task", () => {
    let isBusy = true;
    const forgotten: string[] = [];
    const room = new UndoRoom((hashes) => {
      if (isBusy) throw new CoderError({ code: "E_STORE", text: phrase("store.busy", { path: "", seconds: 1 }) });
      forgotten.push(...hashes);
    }, 15);
    const history = historyOf(["a", "b"], ["b", "c"]);
    room.tidy(history);
    isBusy = false;
    room.tidy(history);
    expect(forgotten).toEqual(["a"]);
  });

  test("the commands of one task share what is kept of it, and the next task begins anew", async () => {
    const make = (name: string) => `for n in $(seq 13); do truncate -s 10485760 ${name}$n; done`;
    const bash = (name: string) => ({ calls: [{ tool: "bash", input: { command: make(name) } }] });
    await using bench = new Bench([
      [bash("a"), bash("b"), { text: "done" }],
      [bash("c"), { text: "done" }],
    ]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("first");
    await seat.run("second");
    const found = seat.all("tool.settled").map(({ result }) => [result.changes?.length ?? 0, result.unkept ?? []]);
    expect(found).toEqual([
      [13, []],
      [12, [{ path: expect.stringMatching(/^b\d+$/), why: "too_much" }]],
      [13, []],
    ]);
  }, 120_000);
});
