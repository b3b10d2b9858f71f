import type { Aside, AskedNotes, Event, EventOf, View } from "../contract/event.ts";
import type { RunId, TaskId } from "../contract/ids.ts";
import { addUsage } from "../contract/message.ts";
import type { Plan, PlanStep } from "../contract/plan.ts";
import { grantOfCall, grantOfPlan } from "./grant.ts";
import { advance, isTodoList, nextStep, noteMade, withMade } from "./plan/progress.ts";
import { todosFor } from "./plan/todos-due.ts";
import { callIn, coreOf, currentTask, isRunOver, type SessionState, subWith } from "./state.ts";

export function carry(state: SessionState, event: Event): SessionState {
  switch (event.type) {
    case "model.replied":
      return {
        ...state,
        usage: addUsage(state.usage, event.reply.usage),
        cost: withCost(state.cost, event.reply.cost),
      };
    case "tool.intended":
      return intended(state, event);
    case "context.overflowed":
      return paid(state, event.notes);
    case "context.compacted": {
      const { pruneBefore, trimBefore, overviewsFrom, summary } = event.compaction;
      const bare = overviewsFrom === undefined ? {} : { overviewsFrom };
      const view = { pruneBefore, trimBefore, ...bare, ...(summary ? { summary } : {}) };
      return withView(paid(state, event.notes), event.runId, view);
    }
    case "plan.settled":
      if (!event.plan) return state;
      return event.needsConfirmation
        ? following(state, event.plan, event.taskId)
        : begun(state, event.plan, event.taskId);
    case "plan.answered":
      return planAnswered(state, event);
    case "approval.answered":
      return event.answer === "yes" && event.scope ? { ...state, grant: grantOfCall(state, event) } : state;
    case "task.ended":
      return state.grant === null ? state : { ...state, grant: null };
    case "tool.settled":
      return settled(state, event);
    default:
      return state;
  }
}

function withView(state: SessionState, runId: RunId | undefined, view: View): SessionState {
  const sub = runId === undefined ? undefined : subWith(state, runId);
  if (!sub) return { ...state, view };
  return { ...state, subs: state.subs.map((one) => (one === sub ? { ...sub, view } : one)) };
}

/** An edit approves the steps that it keeps; calls of new steps ask when they are made. */
function planAnswered(state: SessionState, event: EventOf<"plan.answered">): SessionState {
  if (event.answer === "no") return state;
  const granted = { ...state, grant: grantOfPlan(state, event) };
  if (event.answer === "edit") return event.plan ? following(granted, event.plan, event.taskId) : granted;
  return state.plan ? begun(granted, state.plan, event.taskId) : granted;
}

function intended(state: SessionState, event: EventOf<"tool.intended">): SessionState {
  const isByModel = coreOf(state.run)?.withModel;
  const isCheck = callIn(state, event.callId)?.call.role === "checks";
  return isByModel && isCheck ? { ...state, checksRun: state.checksRun + 1 } : state;
}

type Planned = SessionState & { readonly plan: NonNullable<SessionState["plan"]> };

export function isFollowed(state: SessionState): state is Planned {
  return state.plan !== null && state.planTask === currentTask(state)?.id;
}

export function onlyAsks(state: SessionState): boolean {
  const intent = currentTask(state)?.assessment?.intent;
  return intent === "question" || intent === "review";
}

export function withSaid(state: SessionState, said: readonly string[]): SessionState {
  if (state.task.phase === "IDLE" || !state.task.task.assessment) return state;
  const { assessment } = state.task.task;
  const constraints = [...new Set([...(assessment.constraints ?? []), ...said])];
  const task = { ...state.task, task: { ...state.task.task, assessment: { ...assessment, constraints } } };
  if (!isFollowed(state)) return { ...state, task };
  return { ...state, task, plan: { ...state.plan, constraints: [...new Set([...state.plan.constraints, ...said])] } };
}

export function blockedStep(state: SessionState): PlanStep | null {
  return isFollowed(state) ? (state.plan.steps.find(({ status }) => status === "blocked") ?? null) : null;
}

/** The todos of a task are the steps of the plan that it follows, so both are set together. */
export function following(state: SessionState, plan: Plan, taskId: TaskId | null): SessionState {
  return { ...state, plan, planTask: taskId, todos: taskId === null ? state.todos : todosFor(plan) };
}

/** PL-6: puts the first step in progress. Plan mode only plans. */
function begun(state: SessionState, plan: Plan, taskId: TaskId): SessionState {
  const started = state.mode === "plan" ? plan : advance(plan);
  return { ...following(state, started, taskId), driven: { ...state.driven, told: nextStep(started)?.id ?? null } };
}

function settled(state: SessionState, event: EventOf<"tool.settled">): SessionState {
  const { todos = state.todos, plan, isReplan } = event.result;
  if (!plan) return withChanges(todos === state.todos ? state : { ...state, todos }, event.result);
  const taskId = currentTask(state)?.id ?? null;
  const isDriven = state.mode !== "plan" && !isTodoList(plan);
  const moved = isDriven ? withMade(advance(plan), state.driven.made) : plan;
  return { ...following(state, moved, taskId), replans: state.replans + (isReplan ? 1 : 0) };
}

/** PL-6: a step is done once all its files exist, whoever reports it. */
function withChanges(state: SessionState, { changes = [] }: EventOf<"tool.settled">["result"]): SessionState {
  const isByModel = coreOf(state.run)?.withModel;
  if (changes.length === 0 || !isByModel || !isFollowed(state) || state.mode === "plan") return state;
  const made = noteMade(state.plan, state.driven.made, changes);
  if (made === state.driven.made) return state;
  const next = { ...state, driven: { ...state.driven, made } };
  return following(next, withMade(state.plan, made), state.planTask);
}

function paid(state: SessionState, notes: Pick<AskedNotes, "usage" | "cost"> | undefined): SessionState {
  if (!notes) return state;
  return { ...state, usage: addUsage(state.usage, notes.usage), cost: withCost(state.cost, notes.cost) };
}

/** During a task it counts towards its budgets. */
export function paidAside(state: SessionState, aside: Aside): SessionState {
  const { run } = state;
  const all = paid(state, aside);
  if (isRunOver(run)) return all;
  const { input, output } = aside.usage;
  const core = { ...run.run, tokens: run.run.tokens + input + output, cost: run.run.cost + (aside.cost ?? 0) };
  return { ...all, run: { ...run, run: core } };
}

function withCost(sum: number | null, cost: number | undefined): number | null {
  return sum === null || cost === undefined ? null : sum + cost;
}
