import fc from "fast-check";
import type { Plan, PlanStep } from "../../../src/contract/plan.ts";

export const origin = { planId: "p1", createdAt: "2026-01-02T03:04:05.000Z", goal: "make it so" };

export function makeStep(step: Partial<PlanStep> & { readonly id: string }): PlanStep {
  return {
    title: `do ${step.id}`,
    description: "",
    intent: "",
    dependencies: [],
    tools_expected: [],
    expected_artifacts: [],
    status: "pending",
    rollback_hint: "",
    ...step,
  };
}

export function makePlan(...steps: readonly (Partial<PlanStep> & { readonly id: string })[]): Plan {
  return {
    plan_id: origin.planId,
    title: origin.goal,
    goal: origin.goal,
    constraints: [],
    steps: steps.map(makeStep),
    verification: { mode: "test", commands: [], required: true, stop_on_fail: true },
    risk_level: "low",
    created_at: origin.createdAt,
  };
}

const sign = fc.constantFrom(...[...'abcdXYZ019 é字，：。"\\{}[]()/.-*_`#\t\u202e\u0007'], "😀", "\ud83d", "__proto__");
const line = fc
  .string({ unit: sign, minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/\s+/g, " ").trim() || "x");
const paragraph = fc.string({ unit: fc.oneof(sign, fc.constant("\n")), maxLength: 12 }).map((text) => text.trim());
const tool = fc.constantFrom("read", "edit", "write", "bash", "grep", "fetch");
const status = fc.constantFrom(...(["pending", "in_progress", "done", "blocked", "skipped"] as const));
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

function anyStep(id: string, dependencies: fc.Arbitrary<readonly string[]>): fc.Arbitrary<PlanStep> {
  return fc.record(
    {
      id: fc.constant(id),
      title: line,
      description: paragraph,
      intent: paragraph,
      dependencies,
      tools_expected: fc.array(tool, { maxLength: 3 }),
      tool_calls: fc.array(fc.record({ tool, args: json }), { maxLength: 2 }),
      expected_artifacts: fc.array(
        fc.record({ path: line, change: fc.constantFrom(...(["create", "modify", "delete"] as const)) }),
        { maxLength: 3 },
      ),
      status,
      rollback_hint: paragraph,
    },
    {
      requiredKeys: [
        ...(["id", "title", "description", "intent", "dependencies", "tools_expected"] as const),
        ...(["expected_artifacts", "status", "rollback_hint"] as const),
      ],
    },
  );
}

/** Ids of all kinds; each step waits only for some before it, so there is no circle. Statuses are any at all. */
export const anyPlan: fc.Arbitrary<Plan> = fc
  .uniqueArray(fc.constantFrom(...["1", "2", "3", "4", "5", "6", "7", "8", "a", "b-1", "步骤", "x.y", "_z"]), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((ids) =>
    fc.record({
      plan_id: fc.constantFrom("p1", "p2"),
      title: line,
      goal: paragraph.map((text) => text || "goal"),
      constraints: fc.array(line, { maxLength: 3 }),
      steps: fc.tuple(...ids.map((id, at) => anyStep(id, fc.subarray(ids.slice(0, at))))),
      verification: fc.record({
        mode: fc.constantFrom(...(["none", "lint", "test", "build", "custom"] as const)),
        commands: fc.array(line, { maxLength: 3 }),
        required: fc.boolean(),
        stop_on_fail: fc.boolean(),
      }),
      risk_level: fc.constantFrom(...(["low", "medium", "high"] as const)),
      created_at: fc.constant(origin.createdAt),
    }),
  );

/** Statuses that a plan can come to: nothing runs before what it waits for. */
export const soundPlan: fc.Arbitrary<Plan> = anyPlan.map((plan) => {
  const steps: PlanStep[] = [];
  for (const step of plan.steps) {
    const isHeld = step.dependencies.some(
      (id) => !["done", "skipped"].includes(steps.find((one) => one.id === id)?.status ?? ""),
    );
    steps.push(isHeld && step.status !== "blocked" ? { ...step, status: "pending" } : step);
  }
  return { ...plan, steps };
});
