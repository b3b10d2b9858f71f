import type { Grant, Listed } from "../../contract/grant.ts";
import { callId } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import type { Plan } from "../../contract/plan.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { listedIn } from "../../machine/grant.ts";
import type { SessionState } from "../../machine/state.ts";
import type { Judge } from "../judge/judge.ts";
import { makeCall } from "../model/reply.ts";

interface CoverDeps {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly guard: Judge;
}

/** The listed items that approving the plan covers: judged as if it were approved. Everything else asks when it comes. */
export async function coveredBy(
  { tools, guard }: CoverDeps,
  state: SessionState,
  plan: Plan,
): Promise<readonly Listed[]> {
  const listed = listedIn(plan);
  if (listed.some((one) => one.kind === "call" && tools.get(one.tool)?.access === "exec")) await guard.ready();
  const grant: Grant = { taskId: "", scope: "plan", listed, steps: plan.steps.map(({ id }) => id), rules: [] };
  const agreed = { ...state, plan, grant };
  return listed.filter((one) => {
    // A file that an earlier step creates does not exist yet.
    if (one.kind === "file" && one.change !== "create" && isMadeBefore(listed, one)) return true;
    const call = asCall(one, tools);
    const tool = tools.get(call.tool);
    return tool !== undefined && !call.problem && guard.judge(call, tool, agreed)?.decision === "allow";
  });
}

function isMadeBefore(listed: readonly Listed[], { path }: Extract<Listed, { kind: "file" }>): boolean {
  return listed.some((one) => one.kind === "file" && one.path === path && one.change === "create");
}

/** A sample call for a listed change of a file. */
function asCall(one: Listed, tools: CoverDeps["tools"]): Call {
  const made = (tool: string, input: unknown): Call => makeCall(callId("r0", 0, 0), null, tool, input, tools);
  if (one.kind === "call") return made(one.tool, one.args);
  if (one.change !== "delete") return made("write", { path: one.path, content: "" });
  return made("patch", { patch: `*** Begin Patch\n*** Delete File: ${one.path}\n*** End Patch` });
}
