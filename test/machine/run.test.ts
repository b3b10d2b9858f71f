import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import type { Event, RunLimits } from "../../src/contract/event.ts";
import { phrase, say } from "../../src/contract/text/catalogue.ts";
import {
  callState,
  isRunOver,
  openCalls,
  type RunCore,
  type RunPhase,
  type RunState,
} from "../../src/machine/state.ts";
import { after, call, error, limits, make, move, reply, type result } from "./make.ts";
import { places } from "./places.ts";

const calling = places["model_running, calling"];
const write = (ordinal: number) => call(ordinal, { access: "write" });

const core = (more: Partial<RunCore> = {}): RunCore => ({
  id: "r1",
  withModel: true,
  limits,
  index: 1,
  breakers: { pairs: [], idleSteps: 0 },
  tokens: 0,
  lastText: "",
  denied: false,
  stopping: "no",
  ...more,
});
/** After one reply of 15 tokens. */
const spent = (more: Partial<RunCore> = {}) => core({ tokens: 15, lastText: "text", ...more });
const counted = { pairs: [{ call: "key1", result: "out", count: 1 }], idleSteps: 0 };
const model = (index: number, attempt = 1): Effect => ({ type: "call_model", runId: "r1", index, attempt });

function expectRun(path: readonly Event[], event: Event, run: RunState, ...effects: Effect[]): void {
  const { step } = move(path, event);
  expect({ run: step.state.run, effects: step.effects, accepted: step.accepted }).toEqual({
    run,
    effects,
    accepted: true,
  });
}

function withLimits(more: Partial<RunLimits>, ...events: Event[]): readonly Event[] {
  const begin = [make.admitted(), make.started({ limits: { ...limits, ...more } }), make.assessed(), make.built()];
  return [...begin, make.planned(), make.runStarted(), ...events];
}

describe("the run machine, row by row", () => {
  test("[SM-5] idle goes to preparing when a task starts, with the first run's id", () => {
    const { before, step } = move([make.admitted()], make.started());
    expect(before.run).toEqual({ phase: "idle" });
    expect(step.state.run).toEqual({ phase: "preparing", run: core({ index: 0 }) });
  });

  test("[SM-5] preparing goes to model_running with step 1", () => {
    const next = { phase: "model_running", run: core(), attempt: 1, failures: 0, doing: "calling" } as const;
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
    const order = { type: "decide_recovery", taskId: "t1", cause: "run" } as const;
    expectRun(calling, make.failed(null), { phase: "failed", run: core(), end }, order);
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
      expect(step.state.run).toEqual({ phase: "aborted", run: core({ index, stopping: "asked" }) });
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
    const waiting = { phase: "model_running", run: core(), attempt: 1, failures: 1, doing: "waiting" } as const;
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
    const compacting = { phase: "model_running", run: core(), attempt: 1, failures: 0, doing: "compacting" } as const;
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
    expect(step.state.run).toEqual({ phase: "failed", run: core(), end });
    expect(step.effects).toEqual([{ type: "decide_recovery", taskId: "t1", cause: "run" }]);
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

describe("the end of a step", () => {
  test("[BR-1] the step limit ends the run with its exact text, and the last reply is kept", () => {
    const path = withLimits({ maxSteps: 1 }, make.replied([call(1)]));
    const { step } = move(path, make.settled(1));
    const note = phrase("run.step_limit", { n: 1 });
    const run = spent({ breakers: counted, limits: { ...limits, maxSteps: 1 } });
    expect(step.state.run).toEqual({ phase: "completed", run, end: { stop: "STEP_LIMIT", error: null, note } });
    expect(step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
    expect(say("en", note)).toBe("step limit reached (1)");
  });

  test("[BR-1] exactly max_steps model calls are made", () => {
    const path = withLimits({ maxSteps: 2 }, make.replied([call(1)]));
    expect(move(path, make.settled(1)).step.effects).toEqual([model(2)]);
  });

  test("[BR-1] a reply without calls at the limit completes the run", () => {
    const path = withLimits({ maxSteps: 1 });
    expect(move(path, make.replied([])).step.state.run).toMatchObject({ end: { stop: "COMPLETED" } });
  });

  test("[BR-4] the token budget ends the run before a further model call", () => {
    const path = withLimits({ maxTokens: 15 }, make.replied([call(1)]));
    const { step } = move(path, make.settled(1));
    const note = phrase("run.tokens", { used: 15, max: 15 });
    expect(step.state.run).toMatchObject({ phase: "completed", end: { stop: "BUDGET", error: null, note } });
    expect(step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
  });

  test("[BR-4] one token less than the budget goes on", () => {
    const path = withLimits({ maxTokens: 16 }, make.replied([call(1)]));
    expect(move(path, make.settled(1)).step.effects).toEqual([model(2)]);
  });

  test("[IN-5] steering input is delivered between two steps, before the next model call", () => {
    const steers = [make.admitted("i2", { delivery: "steer" }), make.admitted("i3", { delivery: "steer" })];
    const { before, step } = move([...calling, make.replied([call(1)]), ...steers], make.settled(1));
    const deliver = { type: "deliver_input", runId: "r1", inputIds: ["i2", "i3"] } as const;
    expect(step.effects).toEqual([deliver, model(2)]);
    expect(step.state.queue).toEqual(before.queue);
  });

  test("[IN-5] steering input goes on with a run whose reply had no calls", () => {
    const path = [...calling, make.admitted("i2", { delivery: "steer" })];
    const next = {
      phase: "model_running",
      run: spent({ index: 2 }),
      attempt: 1,
      failures: 0,
      doing: "calling",
    } as const;
    const deliver = { type: "deliver_input", runId: "r1", inputIds: ["i2"] } as const;
    expectRun(path, make.replied([]), next, deliver, model(2));
  });

  test("[IN-5] queued input and shell input are never steered into a run", () => {
    const others = [
      make.admitted("i2", { delivery: "queue" }),
      make.admitted("i3", { delivery: "steer", kind: "shell" }),
    ];
    const { step } = move([...calling, ...others], make.replied([]));
    expect(step.state.run.phase).toBe("completed");
    expect(step.state.queue.map((one) => one.inputId)).toEqual(["i2", "i3"]);
  });

  test("[IN-5] [BR-1] at the step limit steering input stays queued", () => {
    const path = withLimits({ maxSteps: 1 }, make.admitted("i2", { delivery: "steer" }));
    const { step } = move(path, make.replied([]));
    expect(step.state.run).toMatchObject({ phase: "completed", end: { stop: "STEP_LIMIT" } });
    expect(step.state.queue.map((one) => one.inputId)).toEqual(["i2"]);
  });
});

describe("a run without a model", () => {
  const begin = (kind: "shell" | "tool") => [
    make.admitted("i1", { kind }),
    make.started(),
    make.assessed(),
    make.built(),
  ];
  const one = call(1, { access: "exec" });

  for (const kind of ["shell", "tool"] as const) {
    test(`[SM-5] ${kind} input runs its one call and is done, without any model call`, () => {
      const path = [...begin(kind), make.planned()];
      const { step } = move(path, make.runStarted([one]));
      expect(step.effects).toEqual([{ type: "decide_call", runId: "r1", callId: "r1/1/1" }]);
      const run = core({ withModel: false, index: 0 });
      const end = { stop: "COMPLETED", error: null, note: null } as const;
      const done = { phase: "completed", run, end } as const;
      expectRun([...path, make.runStarted([one])], make.settled(1), done, { type: "run_checks", taskId: "t1" });
    });
  }

  test("[SM-9] a denied call of such a run ends it as DENIED", () => {
    const path = [...begin("shell"), make.planned(), make.runStarted([one])];
    expect(after([...path, make.settled(1, { status: "denied" })]).run).toMatchObject({ end: { stop: "DENIED" } });
  });
});

describe("denied or completed", () => {
  /** One step per list of calls; the run then ends with a reply without calls. */
  function stopAfter(
    ...steps: readonly (readonly [ReturnType<typeof call>, Parameters<typeof result>[0]])[][]
  ): string {
    const events = steps.flatMap((step, at) => {
      const calls = step.map(([one], ordinal) => ({ ...one, id: `r1/${at + 1}/${ordinal + 1}` as const }));
      const settled = step.map(([, more], ordinal) => ({
        ...make.settled(1, more),
        callId: `r1/${at + 1}/${ordinal + 1}` as const,
      }));
      return [make.replied(calls, { index: at + 1 }), ...settled];
    });
    const { run } = after([...calling, ...events, make.replied([], { index: steps.length + 1 })]);
    return run.phase === "completed" ? run.end.stop : run.phase;
  }
  const denied = { status: "denied" } as const;
  const done = { status: "done" } as const;
  const failed = { status: "failed" } as const;
  const read = call(1);
  const session = call(1, { access: "session" });

  test("[SM-9] a run whose last effect was denied ends as DENIED", () => {
    expect(stopAfter([[write(1), denied]])).toBe("DENIED");
    expect(stopAfter([[read, denied]])).toBe("DENIED");
    expect(
      stopAfter([
        [write(1), done],
        [write(2), denied],
      ]),
    ).toBe("DENIED");
    expect(stopAfter([[write(1), denied]], [[read, done]])).toBe("DENIED");
    expect(
      stopAfter([
        [write(1), denied],
        [read, done],
      ]),
    ).toBe("DENIED");
  });

  test("[SM-9] a success with effects after a denial makes it COMPLETED", () => {
    expect(
      stopAfter([
        [write(1), denied],
        [write(2), done],
      ]),
    ).toBe("COMPLETED");
    expect(stopAfter([[write(1), denied]], [[call(1, { access: "exec" }), done]])).toBe("COMPLETED");
    expect(stopAfter([[write(1), done]])).toBe("COMPLETED");
  });

  test("[SM-9] a failure or a todo change after a denial does not make up for it", () => {
    expect(stopAfter([[write(1), denied]], [[write(1), failed]])).toBe("DENIED");
    expect(stopAfter([[write(1), denied]], [[session, done]])).toBe("DENIED");
    expect(stopAfter([[session, done]], [[write(1), failed]])).toBe("COMPLETED");
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
