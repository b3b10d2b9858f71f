import type { Plan } from "../../contract/plan.ts";
import { cut, firstLine, type PlanOrigin, planLimits } from "./read.ts";
import { usualVerification } from "./verification.ts";

/** PL-3: the fallback when no plan could be read: the request as a single step. */
export function singleStepPlan(origin: PlanOrigin): Plan {
  const goal = cut(origin.goal.trim(), planLimits.text);
  const title = firstLine(goal, 80) || "…";
  const step = { id: "1", title, description: "", intent: "", dependencies: [], tools_expected: [] };
  return {
    plan_id: origin.planId,
    title,
    goal,
    constraints: [],
    steps: [{ ...step, expected_artifacts: [], status: "pending", rollback_hint: "" }],
    verification: usualVerification,
    risk_level: "low",
    created_at: origin.createdAt,
  };
}
