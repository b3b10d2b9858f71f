import { fail, ok, type Result } from "../../contract/error.ts";
import type { Plan } from "../../contract/plan.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { editPlan } from "../../machine/plan/edit.ts";
import { planFromJson } from "../../machine/plan/json.ts";
import { problemText } from "../../machine/plan/problem.ts";
import { loadFile } from "../../platform/files/open.ts";
import { locate } from "../../platform/files/path.ts";

export function planInFile(file: string, { workspace, addDirs }: Settings, now: string): Result<Plan> {
  const at = locate(file, { root: workspace, addDirs });
  if (!at.ok) return at;
  if (at.value.kind === "none") return fail("E_IO", phrase("file.missing", { path: file }));
  const loaded = loadFile(at.value);
  if (!loaded.ok) return loaded;
  return planFromJson(loaded.value.bytes.toString("utf8"), { planId: "", createdAt: now, goal: "" });
}

/** The open plan, replaced by an edited one or by its JSON text. */
export function editedPlan(current: Plan, edited: Plan | string): Result<Plan> {
  if (typeof edited === "string") {
    const { plan_id: planId, created_at: createdAt, goal } = current;
    const parsed = planFromJson(edited, { planId, createdAt, goal });
    return parsed.ok ? editedPlan(current, parsed.value) : parsed;
  }
  const read = editPlan(current, edited);
  if ("plan" in read) return ok(read.plan);
  const problems = read.problems.map(problemText);
  return fail("E_INVALID_ARGS", phrase("plan.problems", { problems }), { advice: phrase("plan.json.advice") });
}
