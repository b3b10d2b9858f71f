import { fail, ok } from "../../contract/error.ts";
import { type Plan, stepMarks } from "../../contract/plan.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool, type ToolInput } from "../../contract/tool.ts";
import { args, flag, listOf, object, oneOf, optional, text } from "../args.ts";

const maxSteps = 12;
const ids = listOf(text(""), maxSteps);

/** Validated when the planned call is made. */
const anyObject = { json: { type: "object" }, problems: () => [] };

/** The schema for the model only: the machine parses the plan, accepting more forms and checking more than a schema can. */
const shape = args({
  title: optional(text("")),
  goal: optional(text("")),
  constraints: optional(listOf(text(""), maxSteps)),
  steps: optional(
    listOf(
      object({
        id: text(""),
        title: text(""),
        description: optional(text("")),
        intent: optional(text("")),
        dependencies: optional(ids),
        tools_expected: optional(ids),
        tool_calls: optional(listOf(object({ tool: text(""), args: anyObject }), maxSteps)),
        expected_artifacts: optional(
          listOf(object({ path: text(""), change: oneOf(["create", "modify", "delete"]) }), maxSteps),
        ),
        rollback_hint: optional(text("")),
      }),
      maxSteps,
    ),
  ),
  verification: optional(
    object({
      mode: oneOf(["none", "lint", "test", "build", "custom"]),
      commands: optional(ids),
      required: optional(flag("")),
      stop_on_fail: optional(flag("")),
    }),
  ),
  risk_level: optional(oneOf(["low", "medium", "high"])),
  update: optional(
    listOf(
      object({
        id: text(""),
        status: oneOf(["pending", "in_progress", "done", "blocked", "skipped"]),
        reason: optional(text("Why it is skipped or blocked")),
      }),
      maxSteps,
    ),
  ),
});

const input: ToolInput<unknown> = {
  toJSONSchema: shape.toJSONSchema,
  safeParse: (raw) =>
    typeof raw === "object" && raw !== null
      ? { success: true, data: raw }
      : { success: false, error: { issues: [{ path: [], message: "must be an object" }] } },
};

export const plan = defineTool({
  name: "plan",
  description:
    "Say how a task of several steps will be done (at most 12 steps), or report with update how far its steps are. With a plan there, steps adds or changes steps by id; done ones stay as they are.",
  input,
  access: "session",
  afterCrash: "repeat",
  role: "plans",
  async run(sent, ctx) {
    if (ctx.takePlan === undefined) {
      return fail("E_INVALID_ARGS", phrase("plan.no_task"), { advice: phrase("plan.no_task.advice") });
    }
    const updated = await ctx.takePlan(sent);
    return updated.ok ? ok({ text: showPlan(updated.value.plan), plan: updated.value }) : updated;
  },
});

function showPlan({ steps }: Plan): string {
  return steps.map(({ id, title, status }) => `${stepMarks[status]} ${id} ${title}`).join("\n");
}
