import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/contract/event.ts";
import type { CallResult } from "../../src/contract/message.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { after, blockage, blocked, call, error, limits, make, move, reason } from "./make.ts";
import { failingReads, places } from "./places.ts";
import { expectTask, taskCore } from "./steps.ts";

const calling = places["model_running, calling"];
const step = (index: number, more: Parameters<typeof call>[1], result: Partial<CallResult>): readonly Event[] => {
  const id = `r1/${index}/1` as const;
  const one = call(1, { id, ...more });
  return [make.replied([one], { index }), { ...make.settled(1, { key: `out${index}`, ...result }), callId: id }];
};
const failureAfter = (...steps: readonly (readonly Event[])[]) => {
  const { run } = after([...calling, ...steps.flat()]);
  return "run" in run ? run.run.failure : undefined;
};
const grep = { tool: "grep", input: { pattern: "x", path: "src" } };
const lost = { status: "failed", error } as const;

describe("the last failed call of a run", () => {
  test("[SM-8] is kept with its tool, its access, what it was about and what it said", () => {
    expect(failureAfter(step(1, grep, { ...lost, output: "no" }))).toEqual({
      ...{ index: 1, callId: "r1/1/1", tool: "grep", access: "read", about: "src", error, said: "no" },
    });
    const bash = { tool: "bash", access: "exec", input: { command: "make" } } as const;
    expect(failureAfter(step(1, grep, lost), step(2, bash, { status: "failed", output: "exit code 2" }))).toEqual({
      ...{ index: 2, callId: "r1/2/1", tool: "bash", access: "exec", about: "make", error: null, said: "exit code 2" },
    });
  });

  test("[SM-8] is forgotten when the same tool works, or another does the same, and by nothing else", () => {
    const read = { tool: "read", input: { path: "src" } };
    expect(failureAfter(step(1, grep, lost), step(2, { ...grep, input: { pattern: "y" } }, {}))).toBeUndefined();
    expect(failureAfter(step(1, grep, lost), step(2, read, {}))).toBeUndefined();
    const other = [step(2, { tool: "read", input: { path: "other" } }, {}), step(3, read, { status: "refused" })];
    expect(failureAfter(step(1, grep, lost), ...other, step(4, read, { status: "unknown" }))?.index).toBe(1);
    expect(failureAfter(step(1, { tool: "list" }, lost), step(2, { tool: "glob" }, {}))?.tool).toBe("list");
  });

  test("[SM-8] [TP-2] which call came last follows their order in the reply, not the order in which they ended", () => {
    const bash = { tool: "bash", access: "exec" } as const;
    const calls = [call(1, { ...bash, input: { command: "one" } }), call(2, { ...bash, input: { command: "two" } })];
    const ending = (...ends: readonly (readonly [number, Partial<CallResult>])[]) => {
      const settled = ends.map(([ordinal, result]) => make.settled(ordinal, result));
      const { run } = after([...calling, make.replied(calls), ...settled]);
      return "run" in run ? run.run.failure?.callId : undefined;
    };
    const failed = { status: "failed", output: "no" } as const;
    expect(ending([2, failed], [1, {}])).toBe("r1/1/2");
    expect(ending([2, {}], [1, failed])).toBeUndefined();
    expect(ending([2, failed], [1, failed])).toBe("r1/1/2");
    expect(ending([1, failed], [2, {}])).toBeUndefined();
  });

  test("[SM-8] todos, plans and questions block no work", () => {
    expect(failureAfter(step(1, { tool: "plan", access: "session" }, lost))).toBeUndefined();
  });

  test("[SM-8] of a long output and a long command only the ends and the start are kept", () => {
    const long = { tool: "bash", access: "exec", input: { command: "c".repeat(9_000) } } as const;
    const output = `begin${"x".repeat(99_000)}end`;
    const kept = failureAfter(step(1, long, { status: "failed", output }));
    expect([kept?.about.length, kept?.said.length]).toEqual([120, 2001]);
    expect([kept?.said.slice(0, 5), kept?.said.slice(-3)]).toEqual(["begin", "end"]);
  });
});

describe("how a run comes to recovery", () => {
  const recovering = { phase: "RECOVERING", stopping: false } as const;
  const noProgress = { stop: "MAX_ITER", error: null, note: phrase("run.max_iter", { n: 20 }) } as const;
  const decide = { type: "decide_recovery", taskId: "t1" } as const;
  const lastOf = (events: readonly Event[]) => [events.slice(0, -1), events.at(-1) as Event] as const;

  test("[SM-3] [SM-8] [BR-2] a run without progress over calls that fail is recovered from", () => {
    const [path, last] = lastOf([...calling, ...failingReads()]);
    const task = { ...recovering, task: taskCore(), cause: "tools", end: noProgress } as const;
    expectTask(path, last, task, { ...decide, cause: "tools" });
  });

  test("[SM-3] [BR-2] one whose calls work, or failed long before, goes on to the checks", () => {
    const early = step(1, { tool: "bash", access: "exec", input: { command: "a" } }, lost);
    const works = failingReads({ tool: "list" }, { status: "done" }).slice(2, -2);
    const rest = [
      ...works,
      ...step(22, { key: "again" }, { key: "again" }),
      ...step(23, { key: "again" }, { key: "again" }),
    ];
    for (const path of [
      [...calling, ...failingReads({}, { status: "done" })],
      [...calling, ...early, ...rest],
    ])
      expect(after(path).task).toMatchObject({ phase: "VERIFYING", end: noProgress });
  });

  test("[PS-4] [BR-2] in an old log both go on to the checks, as they did then", () => {
    const { recovers: _, ...old } = limits;
    const path = calling.map((one) => (one.type === "task.started" ? { ...one, limits: old } : one));
    const end = [make.checked({ kind: "none", reason }), make.summarized(), make.ended()];
    expect(after([...path, ...failingReads(), ...end]).task).toEqual({ phase: "IDLE" });
    const denied = step(1, { tool: "bash", access: "exec" }, { status: "denied", error });
    const plan = step(2, { tool: "plan", access: "session" }, { plan: blocked });
    const over = [...path, ...denied, ...plan, make.replied([], { index: 3 })];
    expect(after([...over, ...end]).task).toEqual({ phase: "IDLE" });
  });

  test("[SM-3] [SM-8] a step blocked over a denial is recovered from, and stays one: exit code 4", () => {
    const denied = step(1, { tool: "bash", access: "exec" }, { status: "denied", error });
    const plan = step(2, { tool: "plan", access: "session" }, { plan: blocked });
    const note = phrase("task.plan_blocked", { id: "1", title: "step 1" });
    const task = {
      ...recovering,
      task: taskCore(),
      cause: "plan",
      end: { stop: "DENIED", error: null, note },
    } as const;
    expectTask([...calling, ...denied, ...plan], make.replied([], { index: 3 }), task, { ...decide, cause: "plan" });
  });

  test("[SM-3] a failed model, a step limit and a budget are no failures of tools", () => {
    const two = calling.map((one) =>
      one.type === "task.started" ? { ...one, limits: { ...limits, maxSteps: 1 } } : one,
    );
    expect(after([...two, ...step(1, grep, lost)]).task).toMatchObject({
      phase: "VERIFYING",
      end: { stop: "STEP_LIMIT" },
    });
    const budget = calling.map((one) =>
      one.type === "task.started" ? { ...one, limits: { ...limits, maxTokens: 1 } } : one,
    );
    expect(after([...budget, ...step(1, grep, lost)]).task).toMatchObject({
      phase: "VERIFYING",
      end: { stop: "BUDGET" },
    });
    const model = [...calling, ...step(1, grep, lost), make.failed(null, { index: 2 })];
    expect(after(model).task).toMatchObject({ phase: "RECOVERING", cause: "run" });
  });
});

describe("a person who is asked how to go on", () => {
  const asking = places["RECOVERING, asking"];
  const answer = { type: "start_run", taskId: "t1", runId: "r2" } as const;

  test("[SM-8] [SM-7] has their answer followed by a new run, which takes over what was spent and what still fails", () => {
    const { step: next } = move(asking, make.clarified());
    expect(next.effects).toEqual([answer]);
    expect(next.state).toMatchObject({
      task: { phase: "EXECUTING", task: { runId: "r2", rungs: ["ask"] } },
      run: {
        phase: "preparing",
        run: { id: "r2", withModel: true, index: 0, tokens: 22 * 15, failure: { index: 0, tool: "read", error } },
      },
      runs: 2,
    });
  });

  test("[SM-8] [SM-3] who is not there leaves the task at its end, with what blocks it", () => {
    const gone = { v: 1, at: 1, type: "clarification.unanswered", taskId: "t1" } as const;
    const end = { stop: "MAX_ITER", error: null, note: phrase("run.max_iter", { n: 20 }), blockage } as const;
    const task = taskCore({ rungs: ["ask"] });
    expectTask(
      asking,
      gone,
      { phase: "SUMMARIZING", task, end, cancelled: null, stopping: false },
      { type: "summarize_task", taskId: "t1" },
    );
  });

  test("[SM-8] retry and fall-back go on at once, with the budget that is left; a replan has its own", () => {
    for (const [rung, tokens] of [
      ["retry", 330],
      ["fallback", 330],
      ["replan", 0],
    ] as const) {
      const { step: next } = move(places["RECOVERING after failed calls"], make.recovered(true, "r2", { rung }));
      expect(next.effects).toEqual([answer]);
      expect(next.state.run).toMatchObject({ phase: "preparing", run: { id: "r2", tokens } });
    }
  });
});
