import { describe, expect, test } from "bun:test";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import { callState, isRunOver, openCalls, type RunPhase } from "../../src/machine/state.ts";
import { after, call, error, make, move, reply } from "./make.ts";
import { places } from "./places.ts";
import { calling, expectRun, model, runCore, spent } from "./steps.ts";

const write = (ordinal: number) => call(ordinal, { access: "write" });

const counted = { pairs: [{ call: "key1", result: "out", count: 1 }], idleSteps: 0 };
describe("the run machine, row by row", () => {
  test("[SM-5] idle goes to preparing when a task starts, with the first run's id", () => {
    const { before, step } = move([make.admitted()], make.started());
    expect(before.run).toEqual({ phase: "idle" });
    expect(step.state.run).toEqual({ phase: "preparing", run: runCore({ index: 0 }) });
  });

  test("[SM-5] preparing goes to model_running with step 1", () => {
    const next = { phase: "model_running", run: runCore(), attempt: 1, failures: 0, doing: "calling" } as const;
    expectRun(places.preparing, make.runStarted(), next, model(1));
  });

  test("[SM-5] model_running goes to tool_running when the reply has calls", () => {
    const { step } = move(calling, make.replied([write(1), write(2)]));
    const base = { reasons: [], intent: null, spawned: null, result: null };
    const calls = [
      { call: write(1), status: "deciding", ...base },
      { call: write(2), status: "queued", ...base },
    ] as const;
    expect(step.state.run).toEqual({ phase: "tool_running", run: spent(), calls });
    expect(step.effects).toEqual([{ type: "decide_call", runId: "r1", callId: "r1/1/1" }]);
  });

  test("[SM-5] model_running goes to completed when the reply has no calls", () => {
    const end = { stop: "COMPLETED", error: null, note: null } as const;
    const order = { type: "run_checks", taskId: "t1" } as const;
    expectRun(calling, make.replied([]), { phase: "completed", run: spent(), end }, order);
  });

  test("[SM-5] model_running goes to failed when the model failed for good", () => {
    const end = { stop: "PROVIDER_FAILED", error, note: null } as const;
    const order = { follows: "recovery.decided" } as const;
    expectRun(calling, make.failed(null), { phase: "failed", run: runCore(), end, cut: { attempt: 1 } }, order);
  });

  test("[SM-5] tool_running goes to awaiting_human when an approval is required", () => {
    const { step } = move(places["tool_running, deciding"], make.decided(1, "ask"));
    expect(step.state.run.phase).toBe("awaiting_human");
    expect(step.effects).toEqual([{ type: "ask_human", runId: "r1", callId: "r1/1/1" }]);
  });

  for (const answer of ["yes", "always"] as const) {
    test(`[SM-5] awaiting_human goes to tool_running when the person says ${answer}`, () => {
      const { step } = move(places.awaiting_human, make.approval(1, answer));
      expect(step.state.run.phase).toBe("tool_running");
      expect(step.effects).toEqual([{ type: "intend_call", runId: "r1", callId: "r1/1/1" }]);
    });
  }

  test("[SM-5] awaiting_human goes to tool_running with a denied result when the person says no", () => {
    const { step } = move(places.awaiting_human, make.approval(1, "no"));
    expect(step.state.run.phase).toBe("tool_running");
    const refused = { code: "E_POLICY_DENIED", text: phrase("approval.refused") } as const;
    const order = { type: "settle_call", runId: "r1", callId: "r1/1/1", status: "denied", error: refused } as const;
    expect(step.effects).toEqual([order]);
  });

  test("[SM-5] awaiting_human goes to tool_running and the call is judged again when the person edits it", () => {
    const edited = call(1, { access: "write", key: "edited" });
    const { step } = move(places.awaiting_human, make.approval(1, "edit", { call: edited }));
    expect(step.state.run.phase).toBe("tool_running");
    expect(callState(step.state.run, "r1/1/1")).toEqual({
      call: edited,
      status: "deciding",
      reasons: [],
      outside: [],
      intent: null,
      spawned: null,
      result: null,
    });
    expect(step.effects).toEqual([{ type: "decide_call", runId: "r1", callId: "r1/1/1" }]);
  });

  test("[SM-5] [TP-4] tool_running goes to model_running with the next step when all results are there", () => {
    const path = [...calling, make.replied([call(1), call(2)]), make.settled(2)];
    const breakers = { pairs: [counted.pairs[0]!, { call: "key2", result: "out", count: 1 }], idleSteps: 0 };
    const run = spent({ index: 2, breakers });
    const next = { phase: "model_running", run, attempt: 1, failures: 0, doing: "calling" } as const;
    expectRun(path, make.settled(1), next, model(2));
  });

  test("[SM-5] tool_running stays until the last result is there", () => {
    const { step } = move([...calling, make.replied([call(1), call(2)])], make.settled(1));
    expect(step.state.run.phase).toBe("tool_running");
    expect(step.effects).toEqual([]);
  });

  for (const place of [
    "preparing",
    "model_running, calling",
    "model_running, waiting",
    "model_running, compacting",
  ] as const) {
    test(`[SM-5] ${place} goes to aborted when a cancel has stopped everything`, () => {
      const path = [...places[place], make.cancel()];
      const { before, step } = move(path, make.stopped());
      expect(before.run).toMatchObject({ run: { stopping: "asked" } });
      const index = place === "preparing" ? 0 : 1;
      const cut = place === "preparing" ? {} : { cut: { attempt: 1 } };
      expect(step.state.run).toEqual({ phase: "aborted", run: runCore({ index, stopping: "asked" }), ...cut });
    });
  }

  test("[SM-5] the run machine has exactly the eight states of the rule, and each is reached", () => {
    const reached = new Set(Object.values(places).map((path): RunPhase => after(path).run.phase));
    const states = "idle preparing model_running tool_running awaiting_human completed failed aborted";
    expect([...reached].sort()).toEqual(states.split(" ").sort() as RunPhase[]);
  });
});

describe("the model call", () => {
  test("[MD-4] a failure that may be retried waits as long as it says, and then tries again under the same step", () => {
    const waiting = { phase: "model_running", run: runCore(), attempt: 1, failures: 1, doing: "waiting" } as const;
    const wait = { type: "wait_retry", runId: "r1", index: 1, attempt: 1, ms: 250 } as const;
    expectRun(calling, make.failed(250), waiting, wait);
    const again = { ...waiting, attempt: 2, doing: "calling" } as const;
    expectRun(places["model_running, waiting"], make.retryDue(), again, model(1, 2));
  });

  test("[MD-4] failures are counted over the attempts of one step and start anew with the next", () => {
    const second = [make.failed(0), make.retryDue(), make.failed(0, { attempt: 2 })];
    expect(after([...calling, ...second]).run).toMatchObject({ failures: 2, attempt: 2, doing: "waiting" });
    const third = [make.retryDue({ attempt: 2 }), make.replied([call(1)], { attempt: 3 }), make.settled(1)];
    expect(after([...calling, ...second, ...third]).run).toMatchObject({ failures: 0, attempt: 1, run: { index: 2 } });
  });

  test("[MD-4] a second reply under the same step is not taken", () => {
    const { before, step } = move([...calling, make.replied([call(1)]), make.settled(1)], make.replied([]));
    expect(step).toEqual({ state: before, effects: [], accepted: false });
  });

  test("[MD-4] an overflow compacts and then calls again under the same step", () => {
    const compacting = {
      phase: "model_running",
      run: runCore(),
      attempt: 1,
      failures: 0,
      doing: "compacting",
    } as const;
    expectRun(calling, make.overflowed(), compacting, { type: "compact", runId: "r1", index: 1, attempt: 1 });
    for (const stage of ["prune", "trim"] as const) {
      const { step } = move(places["model_running, compacting"], make.compacted(stage));
      expect(step.state.run).toEqual({ ...compacting, attempt: 2, doing: "calling" });
      expect(step.state.view).toEqual({ pruneBefore: 4, trimBefore: 2 });
      expect(step.effects).toEqual([model(1, 2)]);
    }
  });

  test("[SM-5] a history that cannot be made to fit fails the run and says what to do", () => {
    const { step } = move(places["model_running, compacting"], make.compacted("exhausted"));
    const overflow = { code: "E_MODEL", text: phrase("run.overflow"), advice: phrase("run.overflow_advice") } as const;
    const end = { stop: "PROVIDER_FAILED", error: overflow, note: null } as const;
    expect(step.state.run).toEqual({ phase: "failed", run: runCore(), end, cut: { attempt: 1 } });
    expect([step.effects, followUp(step.state)?.type]).toEqual([[], "recovery.decided"]);
  });

  test("a reply adds to the usage of the session and to the tokens of the run", () => {
    const second = make.replied([], {
      index: 2,
      reply: reply([], { text: "", usage: { input: 100, output: 40, cachedInput: 7, reasoning: 9 } }),
    });
    const state = after([...calling, make.replied([call(1)]), make.settled(1), second]);
    expect(state.usage).toEqual({ input: 110, output: 45, cachedInput: 10, reasoning: 11 });
    expect(state.run).toMatchObject({ run: { tokens: 155, lastText: "text" } });
  });
});

describe("what others ask about a run", () => {
  test("a run is over before it begins and after it ended, and never in between", () => {
    const over = Object.values(places)
      .map((path) => after(path).run)
      .filter(isRunOver);
    expect([...new Set(over.map((run) => run.phase))].sort()).toEqual(["aborted", "completed", "failed", "idle"]);
  });

  test("the open calls are those of the step that runs now", () => {
    const { run } = after(places["tool_running, executing"]);
    expect(openCalls(run).map((one) => one.call.id)).toEqual(["r1/1/1", "r1/1/2"]);
    expect(callState(run, "r1/1/2")?.status).toBe("queued");
    expect(callState(run, "r1/1/3")).toBeUndefined();
    expect(openCalls(after(places.awaiting_human).run)).toHaveLength(2);
    expect(openCalls(after(calling).run)).toEqual([]);
  });
});
