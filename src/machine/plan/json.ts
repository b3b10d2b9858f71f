import { fail, ok, type Result } from "../../contract/error.ts";
import type { Plan } from "../../contract/plan.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { jsonPlaces } from "./json-places.ts";
import { pathText } from "./problem.ts";
import { type PlanOrigin, readPlan } from "./read.ts";

const biggest = 500_000;

/** PL-5: a plan as a file that the user can keep, edit and load. */
export function planToJson(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** Reads a plan that the user edited; reports every problem with its line and field. */
export function planFromJson(text: string, origin: PlanOrigin): Result<Plan> {
  const bare = text.replace(/^\ufeff/, "");
  if (bare.length > biggest) return refused([phrase("plan.json.big", { size: bare.length, max: biggest })]);
  const places = jsonPlaces(bare);
  if ("problem" in places) return refused([places.problem]);
  const read = readPlan(JSON.parse(bare), origin);
  if ("plan" in read) return ok(read.plan);
  return refused(
    read.problems.map(({ path, what }) => {
      const where = path.length === 0 ? phrase("plan.whole") : pathText(path);
      return phrase("plan.line", { line: places.lineOf(path), where, what });
    }),
  );
}

function refused(problems: readonly Phrase[]): Result<Plan> {
  return fail("E_INVALID_ARGS", phrase("plan.problems", { problems }), { advice: phrase("plan.json.advice") });
}
