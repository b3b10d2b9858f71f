import { describe, expect, test } from "bun:test";
import type { Event, RunLimits } from "../../src/contract/event.ts";
import { phrase, say } from "../../src/contract/text/catalogue.ts";
import { after, call, error, limits, make, move, reply, type result } from "./make.ts";
import { calling, expectRun, model, runCore, spent } from "./steps.ts";

const write = (ordinal: number) => call(ordinal, { access: "write" });

const counted = { pairs: [{ call: "key1", result: "out", count: 1 }], idleSteps: 0 };
function withLimits(more: Partial<RunLimits>, ...events: Event[]): readonly Event[] {
  const begin = [make.admitted(), make.started({ limits: { ...limits, ...more } }), make.assessed(), make.built()];
  return [...begin, make.planned(), make.runStarted(), ...events];
}

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

  test("[BR-4] the cost budget ends the run before a further model call, and names what was used and allowed", () => {
    const paid = make.replied([call(1)], { reply: reply([call(1)], { cost: 12_300 }) });
    const { step } = move(withLimits({ maxCost: 12_300 }, paid), make.settled(1));
    const note = phrase("run.cost", { used: "$0.0123", max: "$0.0123" });
    expect(step.state.run).toMatchObject({ phase: "completed", end: { stop: "BUDGET", error: null, note } });
    expect(step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
    expect([say("en", note), say("zh", note)]).toEqual([
      "cost budget used up ($0.0123 of $0.0123)",
      "费用预算已用完（$0.0123/$0.0123）",
    ]);
    expect(move(withLimits({ maxCost: 12_301 }, paid), make.settled(1)).step.effects).toEqual([model(2)]);
  });

  test("[BR-4] a reply that has spent it all still has its calls carried out", () => {
    const paid = make.replied([call(1)], { reply: reply([call(1)], { cost: 99 }) });
    const { step } = move(withLimits({ maxCost: 1 }), paid);
    expect(step.effects).toEqual([{ type: "decide_call", runId: "r1", callId: call(1).id }]);
  });

  test("[BR-4] a run that begins with the budget already spent calls no model", () => {
    const path = withLimits({ maxCost: 5 }, make.replied([], { reply: reply([], { cost: 5 }) }));
    const failing = make.checked({ kind: "fail", command: "make", error });
    const repair = make.recovered(true, "r2", { rung: "repair" });
    const { step } = move([...path, failing, repair], make.runStarted([], "r2"));
    expect(step.state.run).toMatchObject({ phase: "completed", run: { cost: 5, tokens: 0 }, end: { stop: "BUDGET" } });
    expect(step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
  });

  test("[BR-4] what a session has cost is known as long as every price was", () => {
    const paid = (index: number, cost?: number) =>
      make.replied([call(1)], { index, reply: reply([call(1)], cost === undefined ? {} : { cost }) });
    expect(after([...calling, paid(1, 7)]).cost).toBe(7);
    expect(after([...calling, paid(1)]).cost).toBeNull();
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

describe("a question that nobody can answer", () => {
  const asking = [...calling, make.replied([write(1), write(2)]), make.decided(1, "ask")];
  const nobody = make.approval(1, "no", { by: "nobody" });

  test("[SM-7] the run ends with NEEDS_ANSWER once all its calls have their results, and the model is not called again", () => {
    const path = [...asking, nobody, make.settled(1, { status: "denied" })];
    const { step } = move(path, make.settled(2));
    const note = phrase("run.needs_answer");
    expect(step.state.run).toMatchObject({ phase: "completed", end: { stop: "NEEDS_ANSWER", error: null, note } });
    expect(step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
  });

  test("[SM-7] a no of a person goes on", () => {
    const path = [...asking, make.approval(1, "no"), make.settled(1, { status: "denied" })];
    expect(move(path, make.settled(2)).step.effects).toEqual([model(2)]);
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
      const run = runCore({ withModel: false, index: 0, ...(one.access === "read" ? {} : { hasDone: true }) });
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
    if (run.phase !== "completed") return run.phase;
    // What is true at the end of its task decides whether that is how it ends.
    return run.end.denied ? "DENIED" : run.end.stop;
  }
  const denied = { status: "denied" } as const;
  const done = { status: "done" } as const;
  const failed = { status: "failed" } as const;
  const read = call(1);
  const session = call(1, { access: "session" });

  test("[SM-9] a run in which something was denied and nothing was done ends with that", () => {
    expect(stopAfter([[write(1), denied]])).toBe("DENIED");
    expect(stopAfter([[read, denied]])).toBe("DENIED");
    expect(stopAfter([[write(1), denied]], [[read, done]])).toBe("DENIED");
    expect(
      stopAfter([
        [write(1), denied],
        [read, done],
      ]),
    ).toBe("DENIED");
  });

  test("[SM-9] [VF-7] a success with effects makes it COMPLETED, before a denial and after it", () => {
    expect(
      stopAfter([
        [write(1), done],
        [write(2), denied],
      ]),
    ).toBe("COMPLETED");
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
