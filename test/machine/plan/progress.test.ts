import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FileChange } from "../../../src/contract/message.ts";
import type { Plan } from "../../../src/contract/plan.ts";
import {
  advance,
  type Made,
  nextStep,
  noteMade,
  openSteps,
  withMade,
  withStatus,
} from "../../../src/machine/plan/progress.ts";
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
  }, 120_000);
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

describe("files that a plan expects", () => {
  const file = (path: string, change: "create" | "modify" | "delete" = "modify") => ({ path, change });
  const changed = (path: string, isGone = false): FileChange => ({
    ...{ path, real: `/ws/${path}`, before: null },
    after: isGone ? null : { hash: "x", size: 1, mode: 0o644 },
  });
  const after = (plan: Plan, ...changes: readonly FileChange[]): string => {
    const made = changes.reduce<Made>((sofar, one) => noteMade(withMade(advance(plan), sofar), sofar, [one]), []);
    return marks(withMade(advance(plan), made));
  };

  test("[PL-6] a step is done when all of them are there, in whatever order, and the next one is in progress", () => {
    const plan = makePlan(
      { id: "1", expected_artifacts: [file("./a.ts"), file("b.ts", "create")] },
      { id: "2", expected_artifacts: [file("src/")], dependencies: ["1"] },
      { id: "3", expected_artifacts: [file("/ws/old.ts", "delete")] },
      { id: "4" },
    );
    expect(after(plan)).toBe("1 in_progress, 2 pending, 3 pending, 4 pending");
    expect(after(plan, changed("a.ts"))).toBe("1 in_progress, 2 pending, 3 pending, 4 pending");
    expect(after(plan, changed("b.ts"), changed("a.ts"))).toBe("1 done, 2 in_progress, 3 pending, 4 pending");
    expect(after(plan, changed("src/x/y.ts"))).toBe("1 in_progress, 2 pending, 3 pending, 4 pending");
    expect(after(plan, changed("src/x/y.ts"), changed("a.ts"), changed("b.ts"))).toBe(
      "1 done, 2 done, 3 in_progress, 4 pending",
    );
    expect(after(plan, ...["a.ts", "b.ts", "src/x"].map((one) => changed(one)), changed("old.ts", true))).toBe(
      "1 done, 2 done, 3 done, 4 in_progress",
    );
  });

  test("[PL-6] a file that came does not stand for one that is to go, nor one beside it", () => {
    const plan = makePlan({ id: "1", expected_artifacts: [file("a.ts", "delete")] }, { id: "2" });
    expect(after(plan, changed("a.ts"))).toBe("1 in_progress, 2 pending");
    expect(after(plan, changed("a.ts.bak", true), changed("x/a.ts", true))).toBe("1 in_progress, 2 pending");
  });

  test("[PL-6] a file that came and is gone again, or went and is back, does not end its step when that is due", () => {
    const plan = makePlan(
      { id: "1" },
      { id: "2", expected_artifacts: [file("b", "create")] },
      { id: "3", expected_artifacts: [file("c", "delete")] },
    );
    const made = noteMade(plan, [], [changed("b"), changed("c", true), changed("./b", true), changed("c")]);
    expect(made).toEqual([]);
    expect(marks(withMade(withStatus(plan, "1", "done"), made))).toBe("1 done, 2 pending, 3 pending");
    expect(noteMade(plan, made, [changed("b"), changed("c", true)])).toEqual(["2 b", "3 c"]);
  });

  test("[PL-6] one change to a file that two steps name ends the first of them only", () => {
    const plan = makePlan(
      { id: "1", expected_artifacts: [file("a.ts")] },
      { id: "2", expected_artifacts: [file("a.ts")] },
    );
    expect(after(plan, changed("a.ts"))).toBe("1 done, 2 in_progress");
    expect(after(plan, changed("a.ts"), changed("a.ts"))).toBe("1 done, 2 done");
  });

  test("[PL-6] no change ever undoes a step, skips an order or starts two", () => {
    const changes = fc.array(fc.tuple(fc.constantFrom("a", "b", "a.ts"), fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(soundPlan, changes, (before, some) => {
        let made: Made = [];
        let at = before;
        for (const [path, isGone] of some) {
          made = noteMade(at, made, [changed(path, isGone)]);
          const next = withMade(advance(at), made);
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
  }, 120_000);
});

test("[PL-6] open is what is neither done nor skipped", () => {
  const plan = makePlan(
    ...(["pending", "in_progress", "done", "blocked", "skipped"] as const).map((status) => ({ id: status, status })),
  );
  expect(openSteps(plan).map(({ id }) => id)).toEqual(["pending", "in_progress", "blocked"]);
});

test("[PL-3] where no plan can be read, the request itself is the one step of a plan", () => {
  const plan = makePlan({ id: "1", title: "make it so" });
  expect(singleStepPlan(origin)).toEqual(plan);
  expect(singleStepPlan({ ...origin, goal: "" }).steps[0]?.title).toBe("…");
  expect(singleStepPlan({ ...origin, goal: "x".repeat(9999) }).goal.length).toBe(2000);
});
