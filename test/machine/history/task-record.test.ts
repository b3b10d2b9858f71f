import { describe, expect, test } from "bun:test";
import type { EventBody, InputKind } from "../../../src/contract/event.ts";
import type { Call, CallResult, FileChange } from "../../../src/contract/message.ts";
import type { ResultData } from "../../../src/contract/result-data.ts";
import { HistoryFold } from "../../../src/machine/history/history.ts";
import { roleOf } from "../../support/role.ts";
import { call, make } from "../make.ts";

const change: FileChange = {
  path: "a.txt",
  real: "/w/a.txt",
  before: null,
  after: { hash: "a", size: 1, mode: 0o644 },
};
const settledAs = (status: CallResult["status"], changes: readonly FileChange[]): CallResult => ({
  ...{ status, output: "", key: "", ms: 1 },
  ...(changes.length > 0 ? { changes } : {}),
});

class Session {
  readonly history = new HistoryFold();
  private count = 0;

  /** One task that consists of one call. */
  run(kind: InputKind, tool: string, result: CallResult, data: ResultData = {}): this {
    const n = ++this.count;
    const call = {
      id: `r${n}/0/1`,
      providerId: null,
      tool,
      input: {},
      access: "write",
      ...roleOf(tool),
    } as unknown as Call;
    const at = { runId: `r${n}`, callId: call.id };
    const limits = { maxSteps: 9, maxTokens: null, maxAttempts: 1 };
    this.apply({ type: "input.admitted", inputId: `i${n}`, kind, delivery: "now", text: `${tool} ${n}` });
    this.apply({ type: "task.started", taskId: `t${n}`, runId: `r${n}`, inputId: `i${n}`, limits });
    this.apply({ type: "run.started", runId: `r${n}`, calls: [call] });
    this.apply({ type: "tool.intended", ...at, intent: { changes: [], text: "", data } });
    this.apply({ type: "tool.settled", ...at, result: result.status === "done" ? { ...result, data } : result });
    return this;
  }

  get told() {
    return this.history.tasks.map(({ kind, undone, undoes }) => [kind, undone, undoes]);
  }

  private apply(body: EventBody): void {
    this.history.apply({ v: 1, at: 1, ...body });
  }
}

describe("[RB-2] an undo that was cut short and could not be finished", () => {
  const task = () => new Session().run("task", "write", settledAs("done", [change]));
  const cut = () => task().run("tool", "undo", settledAs("failed", [change]), { tasks: ["t1"], redo: false });

  test("has undone what it did, and the task is still to be undone", () => {
    expect(cut().told).toEqual([
      ["task", false, []],
      ["undo", false, ["t1"]],
    ]);
  });

  test("is brought back by a redo, after the next undo has finished it without a change", () => {
    const after = cut()
      .run("tool", "undo", settledAs("done", []), { tasks: ["t1"], redo: false })
      .run("tool", "undo", settledAs("done", [change]), { tasks: ["t2"], redo: true });
    expect(after.told.slice(0, 2)).toEqual([
      ["task", false, []],
      ["undo", true, ["t1"]],
    ]);
  });

  test("is no undo when it has changed nothing", () => {
    const refused = task().run("tool", "undo", settledAs("failed", []), { tasks: ["t1"], redo: false });
    expect(refused.told[1]).toEqual(["task", false, []]);
  });
});

test("[SM-9] [TP-2] what failed and what was made good follows the order of the calls, not that of their ends", () => {
  const bash = (ordinal: 1 | 2, command: string) => call(ordinal, { tool: "bash", access: "exec", input: { command } });
  const troubles = (...ends: readonly (readonly [1 | 2, "done" | "failed"])[]) => {
    const history = new HistoryFold();
    const settled = ends.map(([ordinal, status]) => make.settled(ordinal, { status }));
    for (const one of [make.admitted(), make.started(), make.replied([bash(1, "one"), bash(2, "two")]), ...settled])
      history.apply(one);
    return history.tasks[0]?.troubles.map(({ about }) => about);
  };
  expect(troubles([2, "failed"], [1, "done"])).toEqual(troubles([1, "done"], [2, "failed"]));
  expect(troubles([2, "done"], [1, "failed"])).toEqual(troubles([1, "failed"], [2, "done"]));
  expect(troubles([2, "failed"], [1, "done"])).toEqual(["two"]);
});
