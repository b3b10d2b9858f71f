import { fail, ok, type Result } from "../../contract/error.ts";
import type { Decision, EventBody, EventOf } from "../../contract/event.ts";
import type { Grant, Listed } from "../../contract/grant.ts";
import { callId } from "../../contract/ids.ts";
import type { Access, Call, Todo } from "../../contract/message.ts";
import { MAX_PLAN_STEPS, MAX_REPLANS, type Plan, type PlanTaken } from "../../contract/plan.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { isFollowed, onlyAsks } from "../../machine/carry.ts";
import { listedIn } from "../../machine/grant.ts";
import type { History } from "../../machine/history/history.ts";
import { unknownKeysOf } from "../../machine/plan/lines.ts";
import { problemText } from "../../machine/plan/problem.ts";
import { advance, isTodoList } from "../../machine/plan/progress.ts";
import { type PlanOrigin, type PlanRead, riskier } from "../../machine/plan/read.ts";
import { isActing, planRisk } from "../../machine/plan/risk.ts";
import { singleStepPlan } from "../../machine/plan/single.ts";
import { takePlan } from "../../machine/plan/take.ts";
import { planFromText } from "../../machine/plan/text.ts";
import { listOrigin, takeTodos } from "../../machine/plan/todos.ts";
import { todosDue, todosFor } from "../../machine/plan/todos-due.ts";
import { coreOf, currentTask, openCalls, type SessionState } from "../../machine/state.ts";
import { type Deed, lookUp } from "../../policy/mode-table.ts";
import { enumeratedGoals } from "../../words/enumeration.ts";
import { isRequirement } from "../../words/requirement.ts";
import type { EffectPorts, Moment } from "../effect/row.ts";
import { makeCall } from "../model/reply.ts";
import { withConstraints } from "./constraints.ts";

type PlanDeps = Pick<EffectPorts, "settings" | "tools" | "judge" | "isInteractive">;

/** Settles a plan that the user supplied, or none, before anything runs. */
export async function settlePlan(deps: PlanDeps, state: SessionState): Promise<readonly EventBody[]> {
  const { task } = state;
  if (task.phase !== "PLANNING") return [];
  const taskId = task.task.id;
  if (task.plan === null) return [{ type: "plan.settled", taskId, plan: null, needsConfirmation: false }];
  // A plan from another task or a file becomes this task's plan.
  const own = { ...task.plan, plan_id: originOf(state).planId };
  const { plan, ...asked } = await weighed(deps, state, own);
  // A plan the user has just edited needs no further approval.
  const isAnswered = task.begun || task.words !== "";
  const confirmation = isAnswered ? { needsConfirmation: false } : asked;
  return [...noticesOf(own), { type: "plan.settled", taskId, plan, ...confirmation }];
}

/** PL-3: the plan in the first reply to a complex task. */
export async function planInReply(deps: PlanDeps, { state, history }: Moment): Promise<readonly EventBody[]> {
  const { task } = state;
  if (task.phase !== "PLANNING") return [];
  const taskId = task.task.id;
  const found = readReply(state, history);
  const hasCalls = openCalls(state.run).length > 0;
  const isFirst = task.task.unsound === 0;
  if (found === null && !isPlanDue(state, hasCalls))
    return [{ type: "plan.settled", taskId, plan: null, needsConfirmation: false }];
  if (found === null && isFirst) return [{ type: "plan.rejected", taskId, problems: [], missing: true }];
  if (found !== null && "problems" in found && isFirst)
    return [{ type: "plan.rejected", taskId, problems: found.problems.map(problemText) }];
  const isWhole = found !== null && "plan" in found;
  const isOnlyPlan = state.mode === "plan";
  const { plan, ...asked } = await weighed(deps, state, isWhole ? found.plan : ownPlan(state), isWhole);
  // A second reply without plan and calls is the answer.
  const isAnswer = found === null && !hasCalls;
  const calls = isOnlyPlan || isAnswer ? [] : todoCalls(deps, state, plan);
  const goesOn = !isAnswer && !hasCalls && !isOnlyPlan;
  const settled = { type: "plan.settled", taskId, plan, ...asked, goesOn } as const;
  const single = phrase(plan.steps.length > 1 ? "run.plan_goals" : "run.plan_single");
  const notices = isWhole ? noticesOf(plan) : [{ type: "notice.given", text: single } as const];
  return [...notices, calls.length > 0 ? { ...settled, calls } : settled];
}

/**
 * Questions, refused plans and plan mode need none. A task that is complex only by length and asks for nothing, such as thanks or a log,
 * may be answered without a plan, unless the reply has calls.
 */
function isPlanDue(state: SessionState, hasCalls: boolean): boolean {
  const task = currentTask(state);
  if (!task || state.mode === "plan" || task.refusals > 0 || onlyAsks(state)) return false;
  const { assessment, input, unsound } = task;
  if (hasCalls || unsound > 0 || assessment?.intent !== "other") return true;
  const why = assessment.why?.key;
  return why === "plan.complex.goals" || why === "plan.complex.keyword" || isRequirement(input.text);
}

function ownPlan(state: SessionState): Plan {
  const { plan } = state;
  if (plan === null || !isFollowed(state) || !isTodoList(plan)) return singleStepPlan(originOf(state));
  return isLong(plan.steps) ? plan : { ...plan, plan_id: originOf(state).planId };
}

/** A todo list longer than a plan may be stays a list, or it could not be changed any more. */
function isLong(items: readonly unknown[]): boolean {
  return items.length > MAX_PLAN_STEPS;
}

function noticesOf(plan: Plan): readonly EventBody[] {
  return unknownKeysOf(plan).map((text) => ({ type: "notice.given", text }));
}

/** Plan mode's final plan, if it was not in the first reply, with its risk level. */
export function planAtEnd(deps: PlanDeps, { state, history }: Moment): readonly EventBody[] {
  if (state.mode !== "plan" || state.task.phase !== "VERIFYING") return [];
  const read = planFromText(history.task?.lastText ?? "", originOf(state));
  const own = state.planTask === state.task.task.id ? state.plan : null;
  const found = read && "plan" in read ? read.plan : own;
  if (found === null) return [];
  const plan = { ...found, risk_level: riskOf(deps, state, found).level };
  if (found === own && plan.risk_level === own.risk_level) return [];
  return [...(found === own ? [] : noticesOf(found)), { type: "plan.changed", plan, by: "model" }];
}

export function planFromTool(now: SessionState, sent: unknown): Result<PlanTaken> {
  const current = now.plan?.plan_id === originOf(now).planId ? now.plan : null;
  const result = takePlan(current, sent, originOf(now));
  if (!result.ok) return result;
  if (isOverLimit(now, result.value)) return tooManyReplans();
  // The model cannot lower a risk level found earlier.
  const risk_level = riskier(result.value.plan.risk_level, current?.risk_level ?? "low");
  const value = { ...result.value, plan: driven(now, { ...result.value.plan, risk_level }) };
  if (value.change === "status") return ok(value);
  // Each unknown key is reported once.
  const reported = new Set((current ? unknownKeysOf(current) : []).map((one) => JSON.stringify(one)));
  const notices = unknownKeysOf(value.plan).filter((one) => !reported.has(JSON.stringify(one)));
  return ok(notices.length > 0 ? { ...value, notices } : value);
}

export function planFromTodos(
  now: SessionState,
  todos: readonly Todo[],
): Result<PlanTaken & { readonly todos: readonly Todo[] }> {
  const list = listOrigin(originOf(now), currentTask(now)?.id ?? "");
  const result = takeTodos(isFollowed(now) ? now.plan : null, todos, list);
  if (!result.ok) return result;
  if (isOverLimit(now, result.value)) return tooManyReplans();
  const plan = driven(now, result.value.plan);
  return ok({ ...result.value, plan, todos: todosFor(plan) });
}

function driven(state: SessionState, given: Plan): Plan {
  const plan = withConstraints(state, given);
  return state.mode === "plan" || isTodoList(plan) ? plan : advance(plan);
}

function isOverLimit({ replans }: SessionState, { change }: PlanTaken): boolean {
  return change === "patch" && replans >= MAX_REPLANS;
}

function tooManyReplans(): Result<never> {
  return fail("E_INVALID_ARGS", phrase("run.plan_replans", { n: MAX_REPLANS }));
}

/** PL-2: the todos at the start; a list of goals needs no plan. */
export function todosAtStart(deps: PlanDeps, state: SessionState, runId: string): readonly Call[] {
  return state.task.phase === "PLANNING" || state.task.phase === "EXECUTING" ? todosFrom(deps, state, null, runId) : [];
}

function todoCalls(deps: PlanDeps, state: SessionState, plan: Plan): readonly Call[] {
  return todosFrom(deps, state, driven(state, plan), coreOf(state.run)?.id ?? "");
}

function todosFrom(
  { settings, tools }: PlanDeps,
  state: SessionState,
  plan: Plan | null,
  runId: string,
): readonly Call[] {
  const task = currentTask(state);
  if (task?.assessment?.complexity !== "complex" || onlyAsks(state)) return [];
  // Calls in a reply are numbered from 1, so 0 is free.
  const index = coreOf(state.run)?.index ?? 0;
  const todos = todosDue({
    isComplex: true,
    isRequired: settings.workflow.requireTodo,
    tools,
    todos: state.todos,
    goals: enumeratedGoals(task.input.text),
    plan,
  });
  return todos ? [makeCall(callId(runId, index, 0), null, "todowrite", { todos }, tools)] : [];
}

function readReply(state: SessionState, history: History): PlanRead | null {
  const calls = openCalls(state.run).map(({ call }) => call);
  const sent = calls.find(({ role }) => role === "plans")?.input;
  const list = calls.find(({ role, access }) => role === "lists" && access !== "read")?.input;
  const todos = (list as { readonly todos: readonly Todo[] } | undefined)?.todos ?? [];
  const origin = originOf(state);
  if (sent === undefined) {
    const inText = planFromText(history.lastStepText(), origin);
    if (inText !== null || todos.length === 0) return inText;
  }
  const todoOrigin = isLong(todos) ? listOrigin(origin, currentTask(state)?.id ?? "") : origin;
  const result = sent === undefined ? takeTodos(null, todos, todoOrigin) : takePlan(null, sent, origin);
  return result.ok ? { plan: result.value.plan } : { problems: [{ path: [], what: result.error.text }] };
}

function originOf(state: SessionState): PlanOrigin {
  const task = currentTask(state);
  return { planId: `${state.id}-${task?.id ?? ""}`, createdAt: task?.startedAt ?? "", goal: task?.input.text ?? "" };
}

type Weighed = Pick<EventOf<"plan.settled">, "needsConfirmation" | "listed"> & { readonly plan: Plan };

/** The plan's risk, whether to ask for approval, and what an approval would cover. `isWhole`: a real plan, not our fallback. */
async function weighed(deps: PlanDeps, state: SessionState, given: Plan, isWhole = true): Promise<Weighed> {
  const plan = withConstraints(state, given);
  const { level, needsConfirmation: isDangerous } = riskOf(deps, state, plan);
  const own = level === plan.risk_level ? plan : { ...plan, risk_level: level };
  const isPut = state.mode === "default" && isWhole && deps.isInteractive() && isActing(plan, asksIn(deps, state));
  if (state.mode === "plan" || !(isDangerous || isPut)) return { plan: own, needsConfirmation: false };
  return { plan: own, needsConfirmation: true, listed: await coveredBy(deps, state, own) };
}

/** Tools that the mode asks about and no general allow rule permits. */
function asksIn({ settings, tools }: PlanDeps, { mode, preset }: SessionState): (tool: string) => boolean {
  const isFree = (tool: string, access: string): boolean =>
    settings.rules.some((rule) => {
      const isBare = rule.command === undefined && rule.path === undefined && rule.host === undefined;
      return rule.decision === "allow" && isBare && (rule.tool === tool || rule.tool === access);
    });
  return (tool) => {
    const access = tools.get(tool)?.access ?? "exec";
    return lookUp(deedOf(access, settings), mode, preset).decision === "ask" && !isFree(tool, access);
  };
}

/** The command is judged when called; until then assume that it stays in the sandbox, if there is one. */
function deedOf(access: Access, { sandbox }: Settings): Deed {
  return access === "exec" && sandbox !== "off" ? "exec_held" : access;
}

function riskOf({ tools, settings }: PlanDeps, { mode, preset }: SessionState, plan: Plan) {
  const expected = (name: string): Decision =>
    lookUp(deedOf(tools.get(name)?.access ?? "exec", settings), mode, preset).decision;
  return planRisk(plan, expected);
}

/** The listed items that approving the plan covers: judged as if it were approved. Everything else asks when it comes. */
async function coveredBy({ tools, judge }: PlanDeps, state: SessionState, plan: Plan): Promise<readonly Listed[]> {
  const listed = listedIn(plan);
  if (listed.some((one) => one.kind === "call" && tools.get(one.tool)?.access === "exec")) await judge.ready();
  const grant: Grant = { taskId: "", scope: "plan", listed, steps: plan.steps.map(({ id }) => id), rules: [] };
  const agreed = { ...state, plan, grant };
  return listed.filter((one) => {
    // A file that an earlier step creates does not exist yet.
    if (one.kind === "file" && one.change !== "create" && isMadeBefore(listed, one)) return true;
    const call = asCall(one, tools);
    const tool = tools.get(call.tool);
    return tool !== undefined && !call.problem && judge.judge(call, tool, agreed)?.decision === "allow";
  });
}

function isMadeBefore(listed: readonly Listed[], { path }: Extract<Listed, { kind: "file" }>): boolean {
  return listed.some((one) => one.kind === "file" && one.path === path && one.change === "create");
}

/** A sample call for a listed change of a file. */
function asCall(one: Listed, tools: PlanDeps["tools"]): Call {
  const made = (tool: string, input: unknown): Call => makeCall(callId("r0", 0, 0), null, tool, input, tools);
  if (one.kind === "call") return made(one.tool, one.args);
  if (one.change !== "delete") return made("write", { path: one.path, content: "" });
  return made("patch", { patch: `*** Begin Patch\n*** Delete File: ${one.path}\n*** End Patch` });
}
