import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Effect } from "../../src/contract/effect.ts";
import type { Event } from "../../src/contract/event.ts";
import { phrase, say } from "../../src/contract/text/catalogue.ts";
import { afterStep, type Breakers, freshBreakers, repeats, type StepCall } from "../../src/machine/breakers.ts";
import { reduce } from "../../src/machine/session.ts";
import type { SessionState } from "../../src/machine/state.ts";
import { after, call, change, make } from "./make.ts";
import { places } from "./places.ts";
import { holds } from "./property.ts";

const one = (name: string, result = "same", progress = false): StepCall => ({ call: name, result, progress });
const advice = (n: number) => phrase("run.repeat_advice", { n });

function times(n: number, step: readonly StepCall[], from: Breakers = freshBreakers): Breakers {
  return Array.from({ length: n }).reduce<Breakers>((breakers) => afterStep(breakers, step).breakers, from);
}

describe("no progress", () => {
  test("[BR-2] the twenty-first successive step without progress stops, the twentieth does not", () => {
    const first = times(1, [one("a")]);
    expect(first.idleSteps).toBe(0);
    const twenty = times(20, [one("a")], first);
    expect(twenty.idleSteps).toBe(20);
    expect(afterStep(times(19, [one("a")], first), [one("a")]).noProgress).toBe(false);
    expect(afterStep(twenty, [one("a")])).toMatchObject({ noProgress: true, breakers: { idleSteps: 21 } });
  });

  test("[BR-2] a new pair, a changed result, a file change and a todo change each start the count anew", () => {
    const twenty = times(21, [one("a")]);
    for (const step of [[one("b")], [one("a", "moved")], [one("a", "same", true)], [one("a"), one("b"), one("a")]]) {
      expect(afterStep(twenty, step)).toMatchObject({ noProgress: false, breakers: { idleSteps: 0 } });
    }
  });
});

describe("stutter", () => {
  test("[BR-3] advice is given at 3, 5 and 8 identical pairs and at no other count", () => {
    let breakers = freshBreakers;
    const given: number[] = [];
    for (let n = 1; n <= 60; n++) {
      const verdict = afterStep(breakers, [one("a", "same", true)]);
      breakers = verdict.breakers;
      if (verdict.advice.length > 0) given.push(n);
      expect(verdict.advice).toEqual([3, 5, 8].includes(n) ? [advice(n)] : []);
    }
    expect(given).toEqual([3, 5, 8]);
    expect(repeats(breakers, "a")).toBe(60);
  });

  test("[BR-3] a changed result is no loop: it starts its own count", () => {
    const breakers = times(2, [one("a", "x")], times(2, [one("a", "y")]));
    expect(repeats(breakers, "a")).toBe(2);
    expect(afterStep(breakers, [one("a", "z")]).advice).toEqual([]);
    expect(afterStep(breakers, [one("a", "y")]).advice).toEqual([advice(3)]);
  });

  test("[BR-3] other calls with the same result do not count", () => {
    const breakers = times(5, [one("a")]);
    expect(repeats(breakers, "b")).toBe(0);
    expect(afterStep(times(2, [one("a")]), [one("b")]).advice).toEqual([]);
  });

  test("[BR-3] equal calls of one step count one by one", () => {
    const verdict = afterStep(freshBreakers, [one("a"), one("a"), one("a"), one("b")]);
    expect(verdict).toEqual({
      breakers: {
        pairs: [
          { call: "a", result: "same", count: 3 },
          { call: "b", result: "same", count: 1 },
        ],
        idleSteps: 0,
      },
      advice: [advice(3)],
      noProgress: false,
    });
  });

  test("[BR-3] at most 64 pairs are remembered, and the one not seen for longest is forgotten first", () => {
    const names = Array.from({ length: 64 }, (_, at) => `c${at}`);
    const full = names.reduce<Breakers>((breakers, name) => afterStep(breakers, [one(name)]).breakers, freshBreakers);
    expect(full.pairs.map((pair) => pair.call)).toEqual(names);
    const touched = afterStep(full, [one("c0")]).breakers;
    expect(touched.pairs).toHaveLength(64);
    const more = afterStep(touched, [one("new")]).breakers;
    expect(more.pairs).toHaveLength(64);
    expect(repeats(more, "c0")).toBe(2);
    expect(repeats(more, "c1")).toBe(0);
    expect(repeats(more, "c2")).toBe(1);
  });

  test("[BR-2] [BR-3] the counts are those of a plain list of all pairs, for any run of steps", () => {
    const stepCall = fc.record({
      call: fc.constantFrom("a", "b"),
      result: fc.constantFrom("x", "y"),
      progress: fc.boolean(),
    });
    const steps = fc.array(fc.array(stepCall, { minLength: 1, maxLength: 4 }), { maxLength: 40 });
    holds(
      "breakers count like a plain list",
      fc.property(steps, (list) => {
        let breakers = freshBreakers;
        let idle = 0;
        const seen: string[] = [];
        for (const step of list) {
          const verdict = afterStep(breakers, step);
          breakers = verdict.breakers;
          let moved = false;
          const expected: unknown[] = [];
          for (const { call, result, progress } of step) {
            moved ||= progress || !seen.includes(call + result);
            seen.push(call + result);
            const n = seen.filter((pair) => pair === call + result).length;
            if (n === 3 || n === 5 || n === 8) expected.push(advice(n));
          }
          idle = moved ? 0 : idle + 1;
          expect(verdict).toMatchObject({ advice: expected, noProgress: idle > 20 });
        }
        for (const name of ["a", "b"]) {
          const most = Math.max(...["x", "y"].map((result) => seen.filter((pair) => pair === name + result).length));
          expect(repeats(breakers, name)).toBe(most);
        }
      }),
    );
  });
});

describe("breakers in a run", () => {
  /** Plays steps of one call each; answers the state and the last orders. */
  function play(steps: number, answer: (n: number) => Event, from = after(places["model_running, calling"])) {
    let state: SessionState = from;
    let effects: readonly Effect[] = [];
    for (let n = 0; n < steps; n++) {
      const index = state.run.phase === "model_running" ? state.run.run.index : 0;
      const called = call(1, { access: "exec", id: `r1/${index}/1`, key: "again" });
      state = after([make.replied([called], { index })], state);
      const step = reduce(state, { ...answer(n), callId: called.id } as Event);
      state = step.state;
      effects = step.effects;
    }
    return { state, effects };
  }
  const same = () => make.settled(1);
  const changing = () => make.settled(1, { changes: [change] });

  test("[BR-3] the advice comes before the next model call", () => {
    expect(play(3, same).effects).toEqual([
      { type: "give_advice", runId: "r1", text: advice(3) },
      { type: "call_model", runId: "r1", index: 4, attempt: 1 },
    ]);
  });

  test("[BR-3] [IN-5] advice comes before the input that is steered in with it", () => {
    const state = after([make.admitted("i2", { delivery: "steer" })], play(2, same).state);
    expect(play(1, same, state).effects.map((one) => one.type)).toEqual(["give_advice", "deliver_input", "call_model"]);
  });

  test("[BR-2] a run without progress ends as MAX_ITER after its twenty-second step and asks for a person", () => {
    expect(play(21, same).state.run.phase).toBe("model_running");
    const { state, effects } = play(22, same);
    const note = phrase("run.max_iter", { n: 20 });
    expect(state.run).toMatchObject({ phase: "completed", end: { stop: "MAX_ITER", error: null, note } });
    expect(effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
    expect(say("en", note)).toBe("No progress in 20 steps in a row; coder needs your help.");
  });

  test("[BR-3] after 50 identical pairs the call is refused with E_STUTTERING and not judged", () => {
    const called = (index: number, key: string) => make.replied([call(1, { id: `r1/${index}/1`, key })], { index });
    const fifty = play(49, changing).state;
    expect(reduce(fifty, called(50, "again")).effects).toEqual([
      { type: "decide_call", runId: "r1", callId: "r1/50/1" },
    ]);
    const enough = play(50, changing).state;
    const error = { code: "E_STUTTERING", text: phrase("run.stuttering", { n: 50 }) } as const;
    expect(reduce(enough, called(51, "again")).effects).toEqual([
      { type: "settle_call", runId: "r1", callId: "r1/51/1", status: "refused", error },
    ]);
    expect(reduce(enough, called(51, "other")).effects).toEqual([
      { type: "decide_call", runId: "r1", callId: "r1/51/1" },
    ]);
  });

  test("[BR-3] a call that gave 50 different results is not refused", () => {
    const { state } = play(60, (n) => make.settled(1, { key: `out${n}` }));
    const again = make.replied([call(1, { id: "r1/61/1", key: "again" })], { index: 61 });
    expect(reduce(state, again).effects).toEqual([{ type: "decide_call", runId: "r1", callId: "r1/61/1" }]);
  });

  test("[BR-3] a call edited into one that was seen 50 times is refused too", () => {
    const asked = [
      make.replied([call(1, { id: "r1/51/1", access: "exec", key: "new" })], { index: 51 }),
      { ...make.decided(1, "ask"), callId: "r1/51/1" } as const,
    ];
    const state = after(asked, play(50, changing).state);
    const edited = call(1, { id: "r1/51/1", access: "exec", key: "again" });
    const step = reduce(state, { ...make.approval(1, "edit", { call: edited }), callId: "r1/51/1" });
    expect(step.effects).toMatchObject([{ type: "settle_call", status: "refused", error: { code: "E_STUTTERING" } }]);
  });

  test("[BR-2] [BR-3] a fresh run of the same task starts with fresh breakers", () => {
    const failed = after([make.failed(null, { index: 11 })], play(10, same).state);
    const { run } = after([make.recovered(true)], failed);
    expect(run).toMatchObject({ run: { id: "r2", breakers: { pairs: [], idleSteps: 0 } } });
  });
});
