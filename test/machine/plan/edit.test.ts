import { expect, test } from "bun:test";
import fc from "fast-check";
import { editPlan } from "../../../src/machine/plan/edit.ts";
import { anyPlan, makePlan, makeStep } from "./make-plan.ts";

const current = makePlan(
  { id: "1", status: "done" },
  { id: "2", status: "in_progress" },
  { id: "3", dependencies: ["2"] },
);

test("[PL-5] an edited plan changes, adds, moves and drops what is not done; what is dropped is skipped", () => {
  const [one, , three] = current.steps;
  if (!one || !three) throw new Error("three steps");
  const edited = {
    ...current,
    title: "other",
    steps: [one, makeStep({ id: "4" }), { ...three, title: "third", dependencies: [] }],
  };
  expect(editPlan(current, edited)).toEqual({
    plan: {
      ...current,
      title: "other",
      steps: [
        one,
        makeStep({ id: "4" }),
        { ...three, title: "third", dependencies: [] },
        makeStep({ id: "2", status: "skipped" }),
      ],
    },
  });
});

test("[PL-4] [PL-5] a done step that was changed or left out is named, and nothing of the edit counts", () => {
  const problem = (edited: typeof current) => editPlan(current, edited);
  const what = { key: "plan.step_done", args: { id: "1" } } as const;
  expect(problem({ ...current, steps: current.steps.slice(1) })).toEqual({ problems: [{ path: ["steps"], what }] });
  const changed = current.steps.map((step) => ({ ...step, title: "x" }));
  expect(problem({ ...current, steps: changed })).toEqual({ problems: [{ path: ["steps", 0], what }] });
});

test("[PL-5] editing nothing changes nothing, whatever the plan", () => {
  fc.assert(fc.property(anyPlan, (plan) => expect(editPlan(plan, plan)).toEqual({ plan })));
});

test("[PL-4] [PL-5] whatever is edited, done steps stay as and where they are and no step is lost", () => {
  fc.assert(
    fc.property(anyPlan, anyPlan, (before, edited) => {
      const read = editPlan(before, edited);
      if (!("plan" in read)) return;
      const done = before.steps.filter(({ status }) => status === "done");
      expect(read.plan.steps.filter(({ id }) => done.some((step) => step.id === id))).toEqual(done);
      const ids = read.plan.steps.map(({ id }) => id);
      for (const { id } of [...before.steps, ...edited.steps]) expect(ids).toContain(id);
      expect([read.plan.plan_id, new Set(ids).size]).toEqual([before.plan_id, ids.length]);
    }),
  );
});
