import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Plan } from "../../../src/contract/plan.ts";
import { followPlan, nextStep, withStatus } from "../../../src/machine/plan/progress.ts";
import { singleStepPlan } from "../../../src/machine/plan/single.ts";
import { anyPlan, makePlan, origin, soundPlan } from "./make-plan.ts";

const marks = (plan: Plan): string => plan.steps.map(({ id, status }) => `${id} ${status}`).join(", ");

describe("the next plan step", () => {
  test("[PL-4] is the one in progress, else the first whose dependencies are finished", () => {
    const plan = makePlan({ id: "1", dependencies: ["2"] }, { id: "2", dependencies: ["3"] }, { id: "3" });
    expect(nextStep(plan)?.id).toBe("3");
    expect(nextStep(withStatus(plan, "3", "in_progress"))?.id).toBe("3");
    expect(nextStep(withStatus(plan, "3", "done"))?.id).toBe("2");
    expect(nextStep(withStatus(plan, "3", "skipped"))?.id).toBe("2");
    expect(nextStep(withStatus(plan, "3", "blocked"))).toBeNull();
    expect(nextStep(makePlan({ id: "1", status: "done" }))).toBeNull();
  });

  test("[PL-4] never has an unfinished dependency, and taking one after the other finishes every plan", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const finished = new Set(
          plan.steps.filter(({ status }) => status === "done" || status === "skipped").map(({ id }) => id),
        );
        const next = nextStep(plan);
        expect((next?.dependencies ?? []).filter((id) => !finished.has(id))).toEqual([]);
        let left: Plan = { ...plan, steps: plan.steps.map((step) => ({ ...step, status: "pending" })) };
        for (const _ of plan.steps) left = withStatus(left, nextStep(left)?.id ?? "", "done");
        expect(left.steps.every(({ status }) => status === "done")).toBe(true);
      }),
      { numRuns: 1000 },
    );
  }, 30_000);
});

describe("the status of a plan step", () => {
  test("[PL-4] is set for one step, and one that is done stays done", () => {
    const plan = makePlan({ id: "1", status: "done" }, { id: "2", status: "in_progress" }, { id: "3" });
    expect(marks(withStatus(plan, "3", "in_progress"))).toBe("1 done, 2 pending, 3 in_progress");
    expect(marks(withStatus(plan, "2", "done"))).toBe("1 done, 2 done, 3 pending");
    expect(withStatus(plan, "1", "pending")).toBe(plan);
    expect(withStatus(plan, "9", "done")).toBe(plan);
  });
});

describe("progress seen in calls", () => {
  const plan = makePlan(
    { id: "1", tools_expected: ["read", "grep"] },
    {
      id: "2",
      tools_expected: ["edit"],
      expected_artifacts: [{ path: "./src/a.ts", change: "modify" }],
      dependencies: ["1"],
    },
    { id: "3", tools_expected: ["bash"], dependencies: ["2"] },
  );
  const call = (tool: string, ...paths: string[]) => ({ tool, paths });
  const follow = (...calls: readonly ReturnType<typeof call>[]): string =>
    marks(calls.reduce<Plan>((sofar, one) => followPlan(sofar, one, false), plan));

  test("[PL-4] a call that fits the current step puts it in progress, one that fits the next says the current is done", () => {
    expect(follow(call("read", "x"))).toBe("1 in_progress, 2 pending, 3 pending");
    expect(follow(call("read", "x"), call("edit", "src/a.ts"))).toBe("1 done, 2 in_progress, 3 pending");
    expect(follow(call("read", "x"), call("edit", "src/a.ts"), call("bash"))).toBe("1 done, 2 done, 3 in_progress");
  });

  test("[PL-4] a file that a step names belongs to that step, whatever the tool", () => {
    expect(follow(call("read", "src/a.ts"))).toBe("1 pending, 2 pending, 3 pending");
    expect(follow(call("grep"), call("read", "src/a.ts"))).toBe("1 done, 2 in_progress, 3 pending");
    const folder = makePlan({ id: "1", expected_artifacts: [{ path: "src/", change: "modify" }] }, { id: "2" });
    expect(marks(followPlan(folder, call("write", "src/b/c.ts"), false))).toBe("1 in_progress, 2 pending");
    expect(marks(followPlan(folder, call("write", "srcs/b.ts"), false))).toBe("1 in_progress, 2 pending");
  });

  test("[PL-4] a call that fits neither, or comes before anything was begun, moves nothing", () => {
    expect(follow(call("bash"))).toBe("1 pending, 2 pending, 3 pending");
    expect(follow(call("read"), call("bash"))).toBe("1 in_progress, 2 pending, 3 pending");
  });

  test("[PL-4] where the model reports by itself, no call says that a step is done", () => {
    const begun = withStatus(plan, "1", "in_progress");
    expect(followPlan(begun, call("edit", "src/a.ts"), true)).toBe(begun);
    expect(marks(followPlan(plan, call("read"), true))).toBe("1 in_progress, 2 pending, 3 pending");
  });

  test("[PL-4] no call ever undoes a step, skips an order or starts two", () => {
    const calls = fc.array(
      fc.record({ tool: fc.constantFrom("read", "edit", "bash"), paths: fc.subarray(["a", "b"]) }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(soundPlan, calls, fc.boolean(), (before, some, isReported) => {
        let at = before;
        for (const one of some) {
          const next = followPlan(at, one, isReported);
          for (const [place, step] of next.steps.entries()) {
            const was = at.steps[place]?.status;
            if (was === "done" || was === "skipped" || was === "blocked") expect(step.status).toBe(was);
            const waits = step.dependencies.filter(
              (id) => !["done", "skipped"].includes(next.steps.find((s) => s.id === id)?.status ?? ""),
            );
            if (step.status !== was && step.status === "in_progress") expect(waits).toEqual([]);
          }
          at = next;
        }
        const begun = (plan: Plan) => plan.steps.filter(({ status }) => status === "in_progress").length;
        expect(begun(at)).toBeLessThanOrEqual(Math.max(1, begun(before)));
      }),
      { numRuns: 1000 },
    );
  }, 30_000);
});

test("[PL-3] where no plan can be read, the request itself is the one step of a plan", () => {
  const plan = makePlan({ id: "1", title: "make it so" });
  expect(singleStepPlan(origin)).toEqual(plan);
  expect(singleStepPlan({ ...origin, goal: "" }).steps[0]?.title).toBe("…");
  expect(singleStepPlan({ ...origin, goal: "x".repeat(9999) }).goal.length).toBe(2000);
});
