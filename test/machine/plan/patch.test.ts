import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Plan, PlanPatch } from "../../../src/contract/plan.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { stepProblems } from "../../../src/machine/plan/check.ts";
import { patchPlan } from "../../../src/machine/plan/patch.ts";
import { problemText } from "../../../src/machine/plan/problem.ts";
import { anyPlan, makePlan, makeStep } from "./make-plan.ts";

const plan = makePlan(
  { id: "1", status: "done" },
  { id: "2", status: "in_progress" },
  { id: "3", dependencies: ["2"] },
  { id: "4" },
);
const patched = (patch: PlanPatch): Plan => {
  const result = patchPlan(plan, patch);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.plan;
};
const said = (patch: PlanPatch): readonly string[] => {
  const result = patchPlan(plan, patch);
  return "problems" in result ? result.problems.map((one) => say("en", problemText(one))) : ["no problem"];
};

describe("a patch of a plan", () => {
  test("[PL-4] adds steps at the front, behind another and at the end", () => {
    const step = (id: string) => makeStep({ id });
    const add = [
      { step: step("a"), after: null },
      { step: step("b"), after: "2" },
      { step: step("c"), after: "b" },
      { step: step("d") },
    ];
    expect(patched({ add }).steps.map(({ id }) => id)).toEqual(["a", "1", "2", "b", "c", "3", "4", "d"]);
  });

  test("[PL-4] changes and skips steps that are not done and leaves the rest as it is", () => {
    const result = patched({
      change: [
        { id: "2", title: "other" },
        { id: "2", tools_expected: ["edit"] },
      ],
      skip: ["4"],
    });
    expect(result).toEqual({
      ...plan,
      steps: plan.steps.map((step) => {
        if (step.id === "2") return { ...step, title: "other", tools_expected: ["edit"] };
        return step.id === "4" ? { ...step, status: "skipped" } : step;
      }),
    });
  });

  test("[PL-4] puts steps that are not done into a new order around those that are", () => {
    expect(patched({ order: ["4", "3"] }).steps.map(({ id }) => id)).toEqual(["1", "4", "3", "2"]);
    expect(patched({ order: ["4", "4"] }).steps.map(({ id }) => id)).toEqual(["1", "4", "2", "3"]);
  });

  const refusals: readonly (readonly [patch: PlanPatch, said: readonly string[]])[] = [
    [{ change: [{ id: "1", title: "x" }] }, ["change[0]: step 1 is done and cannot change"]],
    [{ skip: ["1"] }, ["skip[0]: step 1 is done and cannot change"]],
    [{ order: ["1"] }, ["order[0]: step 1 is done and cannot change"]],
    [{ skip: ["9"] }, ["skip[0]: the plan has no step 9; its steps: 1, 2, 3, 4"]],
    [{ add: [{ step: makeStep({ id: "2" }) }] }, ["add[0]: two steps have the id 2"]],
    [
      { add: [{ step: makeStep({ id: "5" }), after: "9" }] },
      ["add[0].after: the plan has no step 9; its steps: 1, 2, 3, 4, 5"],
    ],
    [{ change: [{ id: "2", dependencies: ["3"] }] }, ["steps: these steps wait for each other: 2 → 3 → 2"]],
    [
      { change: [{ id: "2", dependencies: ["z"] }] },
      ["steps[1].dependencies: step 2 waits for z, which is not a step of the plan"],
    ],
    [
      { add: Array.from({ length: 9 }, (_, at) => ({ step: makeStep({ id: `n${at}` }) })) },
      ["steps: 13 steps; at most 12 are allowed"],
    ],
  ];
  for (const [patch, problems] of refusals) {
    test(`[PL-4] ${JSON.stringify(patch).slice(0, 60)} is refused as a whole: ${problems[0]}`, () => {
      expect(said(patch)).toEqual([...problems]);
    });
  }

  const anyPatch = ({ steps }: Plan): fc.Arbitrary<PlanPatch> => {
    const id = fc.constantFrom(...steps.map((step) => step.id), "new", "more");
    const added = fc.tuple(id, fc.option(id)).map(([own, after]) => ({ step: makeStep({ id: own }), after }));
    const changes = fc.record(
      { id, title: fc.constant("changed"), dependencies: fc.array(id, { maxLength: 2 }) },
      { requiredKeys: ["id"] },
    );
    return fc.record(
      {
        add: fc.array(added, { maxLength: 1 }),
        change: fc.array(changes, { maxLength: 2 }),
        skip: fc.array(id, { maxLength: 1 }),
        order: fc.array(id, { maxLength: 3 }),
      },
      { requiredKeys: [] },
    );
  };
  const planAndPatch = anyPlan.chain((before) => fc.tuple(fc.constant(before), anyPatch(before)));

  test("[PL-4] never changes, drops or reorders done steps, loses none, and gives a sound plan or none", () => {
    let taken = 0;
    fc.assert(
      fc.property(planAndPatch, ([before, patch]) => {
        const result = patchPlan(before, patch);
        if ("problems" in result) return;
        taken++;
        const done = (one: Plan) => one.steps.filter(({ status }) => status === "done");
        expect(done(result.plan)).toEqual(done(before));
        const ids = new Set(result.plan.steps.map((step) => step.id));
        expect(before.steps.filter((step) => !ids.has(step.id))).toEqual([]);
        expect(stepProblems(result.plan.steps)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(300);
  }, 120_000);
});

describe("circles", () => {
  test("[PL-3] one is found wherever it is put into a plan, and nowhere else", () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(), fc.nat(), (before, first, last) => {
        expect(stepProblems(before.steps)).toEqual([]);
        const { steps } = before;
        const [low, high] = [first % steps.length, last % steps.length].sort((one, other) => one - other) as [
          number,
          number,
        ];
        // A chain from the first to the last, and the first waits for the last.
        const circle = steps.map((step, at) => {
          if (at === low) return { ...step, dependencies: [...step.dependencies, steps[high]?.id ?? ""] };
          return at > low && at <= high
            ? { ...step, dependencies: [...step.dependencies, steps[at - 1]?.id ?? ""] }
            : step;
        });
        const found = stepProblems(circle);
        expect(found.map(({ what }) => what.key)).toEqual(["plan.cycle"]);
        const ids = String(found[0]?.what.args?.ids).split(" → ");
        expect(ids[0]).toBe(ids.at(-1) ?? "");
        const waits = new Map(circle.map(({ id, dependencies }) => [id, dependencies]));
        expect(ids.slice(1).every((id, at) => waits.get(ids[at] ?? "")?.includes(id))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  }, 120_000);
});
