import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/contract/event.ts";
import { spentBudget } from "../../src/machine/go-on.ts";
import { reduce } from "../../src/machine/session.ts";
import type { SessionState } from "../../src/machine/state.ts";
import { after, call, event, limits, make, reply } from "./make.ts";
import { places } from "./places.ts";

const over = [make.summarized(), make.ended()];
const calling = places["model_running, calling"];

function goneOn(events: readonly Event[], more: Parameters<typeof make.continued>[0] = {}) {
  const { accepted, effects, state } = reduce(after(events), make.continued(more));
  expect(accepted).toBe(true);
  return { effects, state };
}

describe("a task that has stopped goes on", () => {
  test("[PS-6] after a provider failure with the same call, under its index, as a new attempt", () => {
    const { effects, state } = goneOn(places["IDLE after a failed call"]);
    expect(effects).toEqual([{ type: "call_model", runId: "r1", index: 1, attempt: 2 }]);
    expect([state.task.phase, state.run.phase, state.stopped]).toEqual(["EXECUTING", "model_running", null]);
  });

  test("[PS-6] after failures that were retried with an attempt after the last of them", () => {
    const failed = [make.failed(100), make.retryDue(), make.failed(null, { attempt: 2 })];
    const { effects } = goneOn([...calling, ...failed, make.recovered(false), ...over]);
    expect(effects).toEqual([{ type: "call_model", runId: "r1", index: 1, attempt: 3 }]);
  });

  test("[PS-6] after a cancel in a model call with that call, and with all attempts before it", () => {
    const { effects, state } = goneOn(places["IDLE after a cancelled call"]);
    expect(effects).toEqual([{ type: "call_model", runId: "r1", index: 1, attempt: 2 }]);
    expect(state.run).toMatchObject({ failures: 0, run: { stopping: "no" } });
  });

  test("[PS-6] after a cancel among tools with the next step, and the model is told", () => {
    const { effects } = goneOn(places["IDLE after cancelled tools"]);
    expect(effects).toEqual([
      { type: "give_advice", runId: "r1", text: { key: "run.goes_on" } },
      { type: "call_model", runId: "r1", index: 2, attempt: 1 },
    ]);
  });

  test("[BR-1] at the step limit with as many steps again", () => {
    const short = { ...limits, maxSteps: 1 };
    const stopped = [
      ...[make.admitted(), make.started({ limits: short }), make.assessed(), make.built(), make.planned()],
      ...[make.runStarted(), make.replied([call(1)]), make.settled(1), make.checked({ kind: "none", reason }), ...over],
    ];
    expect(after(stopped).stopped?.end.stop).toBe("STEP_LIMIT");
    const { state } = goneOn(stopped, { limits: short });
    expect(state.run).toMatchObject({ phase: "model_running", run: { index: 2, limits: { maxSteps: 2 } } });
  });

  test("[BR-2] after no progress with breakers that begin anew", () => {
    const stuck = [...places["RECOVERING after failed calls"], make.recovered(false), ...over];
    const { state } = goneOn(stuck);
    expect(state.run).toMatchObject({ phase: "model_running", run: { breakers: { pairs: [], idleSteps: 0 } } });
  });

  test("[SM-7] with the questions that nobody has answered, put again", () => {
    const { effects, state } = goneOn(places["IDLE after an unanswered question"]);
    expect(effects).toEqual([{ type: "assess_task", taskId: "t1" }]);
    expect([state.task.phase, state.run.phase, state.runs]).toEqual(["INTAKE", "preparing", 2]);
  });

  test("[VF-1] after a cancelled check with the checks, as if none had run", () => {
    const { effects, state } = goneOn(places["IDLE after a cancelled check"]);
    expect(effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
    expect(state.task).toMatchObject({ phase: "VERIFYING", todo: [], results: [] });
  });

  test("[SM-4] where its plan was still open, in the phase in which a reply may hold one", () => {
    const { state } = goneOn(places["IDLE after a cancelled plan"]);
    expect(state.task).toMatchObject({ phase: "PLANNING", begun: true, plan: null });
  });

  test("[IN-3] also when the person has run a command in between", () => {
    const command = [
      ...[make.admitted("i2", { kind: "shell" }), make.started({ taskId: "t2", runId: "r2", inputId: "i2" })],
      ...[event({ ...make.assessed(), taskId: "t2" }), event({ ...make.built(), taskId: "t2" })],
      ...[event({ ...make.planned(), taskId: "t2" }), make.runStarted([], "r2")],
      event({ type: "checks.finished", taskId: "t2", result: { kind: "none", reason } }),
      ...over.map((one) => ({ ...one, taskId: "t2" }) as Event),
    ];
    const { effects } = goneOn([...places["IDLE after a failed call"], ...command]);
    expect(effects).toEqual([{ type: "call_model", runId: "r1", index: 1, attempt: 2 }]);
  });
});

describe("a budget", () => {
  const spent = { ...limits, maxTokens: 10 };
  const stopped = after([
    ...[make.admitted(), make.started({ limits: spent }), make.assessed(), make.built(), make.planned()],
    ...[make.runStarted(), make.replied([call(1)], { reply: reply([call(1)]) }), make.settled(1)],
    ...[make.checked({ kind: "none", reason }), ...over],
  ]);

  test("[BR-4] that is spent is told before anything is written, and a higher one goes on", () => {
    expect(stopped.stopped?.end.stop).toBe("BUDGET");
    const task = stopped.stopped;
    if (!task) throw new Error("nothing to go on with");
    expect(spentBudget(task, spent)?.key).toBe("run.tokens");
    expect(spentBudget(task, { ...limits, maxTokens: 100 })).toBe(null);
  });

  test("[BR-4] that is spent all the same calls no model, and the task stops as it did", () => {
    const { state, effects } = reduce(stopped, make.continued({ limits: spent }));
    expect([state.task.phase, effects]).toEqual(["VERIFYING", [{ type: "run_checks", taskId: "t1" }]]);
    expect(state.task).toMatchObject({ end: { stop: "BUDGET" } });
  });
});

describe("nothing goes on", () => {
  const refuses = (state: SessionState, more: Parameters<typeof make.continued>[0] = {}): void => {
    const step = reduce(state, make.continued(more));
    expect([step.accepted, step.effects]).toEqual([false, []]);
    expect(step.state).toBe(state);
  };

  test("[PS-6] that has come to its end, is running, or is another task", () => {
    refuses(after(places["IDLE after a task"]));
    refuses(after(calling));
    refuses(after(places["IDLE after a failed call"]), { taskId: "t0" });
  });

  test("[PS-6] when another task of a model was given since", () => {
    const next = [make.admitted("i2"), make.started({ taskId: "t2", runId: "r2", inputId: "i2" })];
    refuses(after([...places["IDLE after a failed call"], ...next]));
  });

  test("[PS-5] in a copy, which leaves what was open to its original", () => {
    refuses(after([...calling, make.cancel("fork"), make.stopped(), ...over]));
  });
});

const reason = { key: "verify.nothing" } as const;
