import type { History } from "../context/history.ts";
import { fail, type Result } from "../contract/error.ts";
import type { Decision, EventBody } from "../contract/event.ts";
import { callId } from "../contract/ids.ts";
import type { Call, Todo } from "../contract/message.ts";
import { MAX_REPLANS, type Plan, type PlanTaken } from "../contract/plan.ts";
import type { Settings } from "../contract/settings.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { AnyTool } from "../contract/tool.ts";
import { enumeratedGoals } from "../machine/assess/enumeration.ts";
import { todosDue } from "../machine/assess/todos.ts";
import { problemText } from "../machine/plan/problem.ts";
import type { PlanOrigin, PlanRead } from "../machine/plan/read.ts";
import { planRisk } from "../machine/plan/risk.ts";
import { singleStepPlan } from "../machine/plan/single.ts";
import { takePlan } from "../machine/plan/take.ts";
import { planFromText } from "../machine/plan/text.ts";
import { openCalls, type SessionState } from "../machine/state.ts";
import { lookUp } from "../policy/table.ts";
import { makeCall } from "./reply.ts";

export interface PlanDeps {
  readonly settings: Settings;
  readonly tools: ReadonlyMap<string, AnyTool>;
}

/** A plan of the person's own, or none: settled before anything runs. */
export function settlePlan(deps: PlanDeps, state: SessionState): readonly EventBody[] {
  const { task } = state;
  if (task.phase !== "PLANNING") return [];
  const { plan, words } = task;
  const taskId = task.task.id;
  if (plan === null) return [{ type: "plan.settled", taskId, plan, needsConfirmation: false }];
  // What the person has just edited needs no second word.
  const needsConfirmation = !task.begun && words === "" && riskOf(deps, state, plan).needsConfirmation;
  // One of another task, or out of a file, is this task's now.
  const own = { ...plan, plan_id: originOf(state).planId };
  return [{ type: "plan.settled", taskId, plan: judged(deps, state, own), needsConfirmation }];
}

/** PL-3: the plan in the reply that a complex task begins with. */
export function planInReply(deps: PlanDeps, state: SessionState, history: History): readonly EventBody[] {
  const { task } = state;
  if (task.phase !== "PLANNING") return [];
  const taskId = task.task.id;
  const found = readReply(state, history);
  const hasCalls = openCalls(state.run).length > 0;
  if (found === null) return [{ type: "plan.settled", taskId, plan: null, needsConfirmation: false }];
  if ("problems" in found && task.task.unsound === 0)
    return [{ type: "plan.rejected", taskId, problems: found.problems.map(problemText) }];
  const isWhole = "plan" in found;
  const plan = judged(deps, state, isWhole ? found.plan : singleStepPlan(originOf(state)));
  const isOnlyPlan = state.mode === "plan";
  const needsConfirmation = !isOnlyPlan && riskOf(deps, state, plan).needsConfirmation;
  const calls = isOnlyPlan ? [] : todoCalls(deps, state, plan);
  const settled = { type: "plan.settled", taskId, plan, needsConfirmation, goesOn: !hasCalls && !isOnlyPlan } as const;
  const notice = { type: "notice.given", text: phrase("run.plan_single") } as const;
  return [...(isWhole ? [] : [notice]), calls.length > 0 ? { ...settled, calls } : settled];
}

/** What plan mode ends with, for a task whose plan was not in its first reply. */
export function planAtEnd(state: SessionState, history: History): readonly EventBody[] {
  if (state.mode !== "plan" || state.task.phase !== "VERIFYING") return [];
  const read = planFromText(history.task?.lastText ?? "", originOf(state));
  return read && "plan" in read ? [{ type: "plan.changed", plan: read.plan, by: "model" }] : [];
}

/** For the `plan` tool. */
export function takenPlan(now: SessionState, sent: unknown): Result<PlanTaken> {
  const current = now.plan?.plan_id === originOf(now).planId ? now.plan : null;
  const taken = takePlan(current, sent, originOf(now));
  if (taken.ok && taken.value.change === "patch" && now.replans >= MAX_REPLANS)
    return fail("E_INVALID_ARGS", phrase("run.plan_replans", { n: MAX_REPLANS }));
  return taken;
}

/** PL-2, at the start: a list of goals needs no plan. */
export function todosAtStart(deps: PlanDeps, state: SessionState, runId: string): readonly Call[] {
  return state.task.phase === "PLANNING" || state.task.phase === "EXECUTING" ? todosFrom(deps, state, null, runId) : [];
}

function todoCalls(deps: PlanDeps, state: SessionState, plan: Plan): readonly Call[] {
  const runId = "run" in state.run ? state.run.run.id : "";
  return todosFrom(deps, state, plan, runId);
}

function todosFrom(
  { settings, tools }: PlanDeps,
  state: SessionState,
  plan: Plan | null,
  runId: string,
): readonly Call[] {
  if (state.task.phase === "IDLE") return [];
  const { assessment, input } = state.task.task;
  if (assessment?.complexity !== "complex") return [];
  // Those of a reply are numbered from 1.
  const index = "run" in state.run ? state.run.run.index : 0;
  const todos = todosDue({
    isComplex: true,
    isRequired: settings.workflow.requireTodo,
    tools,
    todos: state.todos,
    goals: enumeratedGoals(input.text),
    plan,
  });
  return todos ? [makeCall(callId(runId, index, 0), null, "todowrite", { todos: todos.map(plain) }, tools)] : [];
}

const plain = ({ id, content, status, priority }: Todo): Todo => ({ id, content, status, priority });

function readReply(state: SessionState, history: History): PlanRead | null {
  const sent = openCalls(state.run).find(({ call }) => call.tool === "plan")?.call.input;
  if (sent === undefined) return planFromText(history.lastStepText(), originOf(state));
  const taken = takePlan(null, sent, originOf(state));
  return taken.ok ? { plan: taken.value.plan } : { problems: [{ path: [], what: taken.error.text }] };
}

function originOf({ task, id }: SessionState): PlanOrigin {
  const core = task.phase === "IDLE" ? null : task.task;
  return { planId: `${id}-${core?.id ?? ""}`, createdAt: core?.startedAt ?? "", goal: core?.input.text ?? "" };
}

function judged(deps: PlanDeps, state: SessionState, plan: Plan): Plan {
  const { level } = riskOf(deps, state, plan);
  return level === plan.risk_level ? plan : { ...plan, risk_level: level };
}

function riskOf({ tools }: PlanDeps, { mode, preset }: SessionState, plan: Plan): ReturnType<typeof planRisk> {
  const expected = (name: string): Decision => {
    const access = tools.get(name)?.access ?? "exec";
    return lookUp(access, mode, preset).decision;
  };
  return planRisk(plan, expected);
}
