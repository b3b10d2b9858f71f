import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Plan } from "../../../src/contract/plan.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { takePlan } from "../../../src/machine/plan/take.ts";
import { anyPlan, makePlan, makeStep, origin } from "./make-plan.ts";

const current = makePlan(
  { id: "1", status: "done" },
  { id: "2", dependencies: ["1"], description: "how" },
  { id: "3", dependencies: ["2"] },
);
const told = (plan: Plan | null, sent: unknown): string => {
  const result = takePlan(plan, sent, origin);
  return result.ok ? "accepted" : `${result.error.code}: ${say("en", result.error.text).replace(/^.*\n/, "")}`;
};
const taken = (sent: unknown, plan: Plan | null = current) => {
  const result = takePlan(plan, sent, origin);
  if (!result.ok) throw new Error(say("en", result.error.text));
  return result.value;
};

const many = (n: number) => Array.from({ length: n }, (_, at) => `s${at}`);

describe("what the plan tool is sent", () => {
  test("[PL-3] the first steps are a new plan, with an id and a time of ours", () => {
    const sent = {
      plan_id: "mine",
      created_at: "then",
      title: "T",
      steps: [{ id: 1, title: "a" }, "b"],
      verification: "run_tests",
    };
    expect(taken(sent, null)).toEqual({
      change: "new",
      plan: {
        ...makePlan({ id: "1", title: "a" }, { id: "2", title: "b" }),
        title: "T",
        verification: { mode: "test", commands: [], required: true, stop_on_fail: true },
      },
    });
    expect(taken(["a"], null).plan.steps).toEqual([makeStep({ id: "1", title: "a" })]);
  });

  test("[PL-4] an update reports states, in whatever order, and is no replan", () => {
    const sent = {
      update: [
        { id: "3", status: "in_progress" },
        { id: 2, status: "done" },
      ],
    };
    const { plan, change } = taken(sent);
    expect([change, plan.steps.map(({ status }) => status)]).toEqual(["status", ["done", "done", "in_progress"]]);
    expect(taken({ steps: [{ id: "2", status: "in_progress" }] }).change).toBe("status");
    expect(taken(current).change).toBe("status");
  });

  test("[PL-3] a report of one step needs no list around it", () => {
    expect(taken({ update: { id: "2", status: "done" } })).toEqual(taken({ update: [{ id: "2", status: "done" }] }));
  });

  test("[PL-4] steps of a known id change what was given of them, new ones stand behind the one they followed", () => {
    const { plan, change } = taken({
      steps: [
        { id: "2", title: "other" },
        { id: "2b", title: "between", tools: ["edit"] },
      ],
    });
    expect(change).toBe("patch");
    expect(plan).toEqual({
      ...current,
      steps: [
        ...current.steps.slice(0, 1),
        makeStep({ id: "2", title: "other", dependencies: ["1"], description: "how" }),
        makeStep({ id: "2b", title: "between", tools_expected: ["edit"] }),
        ...current.steps.slice(2),
      ],
    });
    expect(taken({ steps: ["at the end"] }).plan.steps.at(-1)).toEqual(makeStep({ id: "4", title: "at the end" }));
    expect(taken({ steps: [{ id: "3", deps: [] }] }).plan.steps[2]?.dependencies).toEqual([]);
  });

  test("[PL-4] a step that is done stays as it is when it is sent again, and its id under another title is a new step", () => {
    expect(taken({ steps: [{ id: "1", title: "do 1", description: "new" }] })).toEqual({
      plan: current,
      change: "status",
    });
    const { plan } = taken({
      steps: [
        { id: "1", title: "from the start" },
        { id: "9", title: "after that", deps: ["1"] },
      ],
    });
    expect(plan.steps).toEqual([
      ...current.steps,
      makeStep({ id: "4", title: "from the start" }),
      makeStep({ id: "9", title: "after that", dependencies: ["4"] }),
    ]);
  });

  test("[PL-4] what was sent once and is sent again changes nothing and is no replan", () => {
    const title = fc.constantFrom("a", "b  c", " d", "e");
    const status = fc.constantFrom("pending", "in_progress", "done", "blocked", "skipped");
    const named = fc.oneof(
      title,
      fc.record({ title, status }, { requiredKeys: ["title"] }),
      fc.record({ name: title, tools: fc.constantFrom("read", "edit, bash") }),
      fc.record({ step: title, files: fc.constant("a.ts, new: b.ts") }),
    );
    const titleOf = (one: string | object): string => (typeof one === "string" ? one : String(Object.values(one)[0]));
    const sent = fc.record(
      {
        steps: fc.uniqueArray(named, { minLength: 1, maxLength: 4, selector: titleOf }),
        title,
        verification: fc.constantFrom("none", "run_pytest", "x.sh"),
        risk_level: fc.constantFrom("low", "high"),
        constraints: fc.array(title),
      },
      { requiredKeys: ["steps"] },
    );
    fc.assert(
      fc.property(sent, fc.boolean(), (value, isNumbered) => {
        const steps = isNumbered
          ? value.steps.map((one, at) => ({ ...(typeof one === "string" ? { title: one } : one), id: at + 1 }))
          : value.steps;
        const first = taken({ ...value, steps }, null);
        const judged: Plan = { ...first.plan, risk_level: "high" };
        expect(taken({ ...value, steps }, judged)).toEqual({ plan: judged, change: "status" });
      }),
      { numRuns: 1000 },
    );
  }, 120_000);

  test("[PL-4] verification and risk can be changed alone, and that is a replan", () => {
    const { plan, change } = taken({ verification: "cargo test", risk_level: "high" });
    expect(change).toBe("patch");
    const verification = { mode: "test", commands: ["cargo test"], required: true, stop_on_fail: true } as const;
    expect(plan).toEqual({ ...current, verification, risk_level: "high" });
    expect(taken({ risk_level: "low" }, plan).plan.risk_level).toBe("high");
  });

  const refusals: readonly (readonly [plan: Plan | null, sent: unknown, said: string])[] = [
    [null, {}, "neither steps nor update was given"],
    [current, { steps: null, update: null }, "neither steps nor update was given"],
    [null, { update: [] }, "no plan yet: send its steps"],
    [null, { steps: [] }, "steps: the plan has no steps"],
    [null, { steps: [{ titel: "a" }] }, "steps[0].title: must not be empty"],
    [current, { update: [{ id: "9", status: "done" }] }, "update[0]: the plan has no step 9; its steps: 1, 2, 3"],
    [current, { update: [{ id: "1", status: "pending" }] }, "update[0]: step 1 is done and cannot change"],
    [current, { update: [{ id: "3", status: "done" }] }, "update[0]: step 3 waits for 2"],
    [
      current,
      { update: [{ id: "3", status: "perhaps" }] },
      "update[0].status: must be one of pending, in_progress, done, blocked, skipped",
    ],
    [current, { steps: [{ id: "3", status: "done" }] }, "steps[0]: step 3 waits for 2"],
    [current, { update: "2" }, "update: must be a list"],
    [current, { steps: [{ id: "2", deps: ["3"] }] }, "steps: these steps wait for each other: 2 → 3 → 2"],
    [current, { steps: "x" }, "steps: must be a list"],
    [current, { steps: [7] }, "steps[0]: must be an object\nsteps[0].title: must not be empty"],
    [null, 7, "steps: must be a list"],
    [
      current,
      {
        steps: [
          { id: "3", title: "a" },
          { id: "3", title: "b" },
        ],
      },
      "steps[1].id: two steps have the id 3",
    ],
    [null, { steps: many(200) }, "steps: 200 steps; at most 12 are allowed"],
    [null, { steps: many(13) }, "steps: 13 steps; at most 12 are allowed"],
  ];
  for (const [plan, sent, said] of refusals) {
    test(`[PL-3] ${JSON.stringify(sent).slice(0, 120)} ${plan ? "with" : "without"} a plan is refused and says why`, () => {
      expect(told(plan, sent)).toBe(`E_INVALID_ARGS: ${said}`);
    });
  }

  test("[PL-4] whatever is sent, done steps stay, nothing throws and no step is lost", () => {
    const id = fc.constantFrom<unknown>(..."12345678ab".split(""), 1, 2, null, "", {});
    const status = fc.constantFrom<unknown>("pending", "in_progress", "done", "blocked", "skipped", "x", null);
    const step = fc.record(
      { id, title: fc.constantFrom<unknown>("a", "b", "", 1), status, deps: fc.array(id, { maxLength: 1 }) },
      { requiredKeys: [] },
    );
    const sent = fc.oneof(
      {
        arbitrary: fc.record(
          {
            steps: fc.array(fc.oneof(step, fc.constant("a")), { maxLength: 3 }),
            update: fc.array(fc.record({ id, status })),
          },
          { requiredKeys: [] },
        ),
        weight: 5,
      },
      {
        arbitrary: fc.record({
          update: fc.array(fc.record({ id: fc.constantFrom("1", "2", "3"), status }), { maxLength: 2 }),
        }),
        weight: 3,
      },
      { arbitrary: fc.jsonValue(), weight: 1 },
    );
    fc.assert(
      fc.property(anyPlan, sent, (before, value) => {
        const result = takePlan(before, value, origin);
        if (!result.ok) return;
        const after = new Map(result.value.plan.steps.map((one) => [one.id, one]));
        for (const one of before.steps) {
          expect(after.has(one.id)).toBe(true);
          if (one.status === "done") expect(after.get(one.id)).toEqual(one);
        }
      }),
      { numRuns: 2000 },
    );
  }, 120_000);
});

test("[PL-3] keys that coder does not know are kept by a change to the plan too, and an alias of a field is that field", () => {
  const first = takePlan(null, { steps: [{ step_id: "1", title: "a", owner: "Ada" }], ticket: 7 }, origin);
  if (!first.ok) throw new Error("refused");
  const next = takePlan(first.value.plan, { verification_policy: "none", steps: [{ step_id: "1", size: 3 }] }, origin);
  expect(next.ok && next.value.plan).toMatchObject({
    ticket: 7,
    steps: [{ id: "1", title: "a", owner: "Ada", size: 3 }],
    verification: { mode: "none" },
  });
});

test("[PL-6] why a step was skipped stays with it", () => {
  const taken = takePlan(
    makePlan({ id: "1" }),
    { update: [{ id: "1", status: "skipped", reason: "not needed" }] },
    origin,
  );
  expect(taken.ok && taken.value.plan.steps[0]).toMatchObject({ status: "skipped", reason: "not needed" });
});

test("[PL-3] a verification is taken as people write it: a yes or a no, a runner as its mode, a flag in words", () => {
  const taken = (verification: unknown) => {
    const result = takePlan(null, { steps: ["a"], verification }, origin);
    return result.ok ? result.value.plan.verification : null;
  };
  const tests = { mode: "test", commands: [], required: true, stop_on_fail: true };
  expect(taken(true)).toMatchObject(tests);
  expect(taken(false)).toMatchObject({ mode: "none", required: false });
  expect(taken({ mode: "pytest" })).toMatchObject({ ...tests, commands: ["pytest -q"] });
  expect(taken({ mode: "npm test", commands: ["npm test"] })).toMatchObject({
    commands: ["npm test -- --watch=false"],
  });
  expect(taken({ commands: "npm test", required: "no" })).toMatchObject({ mode: "test", required: false });
  expect(taken({ mode: "test", commands: ["run all the tests"] })).toMatchObject(tests);
  expect(taken({ mode: "perhaps" })).toBeNull();
});
