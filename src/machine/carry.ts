import type { AskedNotes, Event, EventOf } from "../contract/event.ts";
import type { Usage } from "../contract/message.ts";
import type { PlanStep } from "../contract/plan.ts";
import { grantOfCall, grantOfPlan } from "./grant.ts";
import { followPlan, withStatus } from "./plan/progress.ts";
import { callState, type SessionState } from "./state.ts";

/** What events leave behind outside the two machines. */
export function carry(state: SessionState, event: Event): SessionState {
  switch (event.type) {
    case "model.replied":
      return { ...state, usage: add(state.usage, event.reply.usage), cost: withCost(state.cost, event.reply.cost) };
    case "tool.intended":
      return intended(state, event);
    case "context.overflowed":
      return paid(state, event.notes);
    case "context.compacted": {
      const { pruneBefore, trimBefore, overviewsFrom, summary } = event.compaction;
      const bare = overviewsFrom === undefined ? {} : { overviewsFrom };
      const view = { pruneBefore, trimBefore, ...bare, ...(summary ? { summary } : {}) };
      return { ...paid(state, event.notes), view };
    }
    case "plan.settled":
      return event.plan ? { ...state, plan: event.plan, planTask: event.taskId } : state;
    case "plan.answered":
      return planAnswered(state, event);
    case "approval.answered":
      return event.answer === "yes" && event.scope ? { ...state, grant: grantOfCall(state, event) } : state;
    case "task.ended":
      return state.grant === null ? state : { ...state, grant: null };
    case "tool.settled":
      return settled(state, event);
    case "task.summarized":
      return event.summary.stop_reason === "COMPLETED" ? atEnd(state) : state;
    default:
      return state;
  }
}

/** To edit a plan is to agree to what stays of it; what it adds was not asked about, and is when it comes. */
function planAnswered(state: SessionState, event: EventOf<"plan.answered">): SessionState {
  if (event.answer === "no") return state;
  const grant = grantOfPlan(state, event);
  return event.answer === "edit" && event.plan
    ? { ...state, grant, plan: event.plan, planTask: event.taskId }
    : { ...state, grant };
}

/** The current step is always visible, also where the model does not say it (PL-4). */
function intended(state: SessionState, event: EventOf<"tool.intended">): SessionState {
  const isByModel = "run" in state.run && state.run.run.withModel;
  const call = callState(state.run, event.callId)?.call;
  if (!isByModel || !call) return state;
  const checksRun = state.checksRun + (call.tool === "diagnostics" ? 1 : 0);
  const plan = isFollowed(state)
    ? followPlan(state.plan, { tool: call.tool, paths: pathsOf(event, call.input) }, state.isPlanReported)
    : state.plan;
  return checksRun === state.checksRun && plan === state.plan ? state : { ...state, checksRun, plan };
}

function pathsOf({ intent }: EventOf<"tool.intended">, input: unknown): readonly string[] {
  const path = typeof input === "object" && input !== null && "path" in input ? input.path : null;
  return [...intent.changes.map((change) => change.path), ...(typeof path === "string" ? [path] : [])];
}

type Planned = SessionState & { readonly plan: NonNullable<SessionState["plan"]> };

export function isFollowed(state: SessionState): state is Planned {
  return state.plan !== null && state.task.phase !== "IDLE" && state.planTask === state.task.task.id;
}

/** A step of the plan that this task follows and that its model has given up. */
export function blockedStep(state: SessionState): PlanStep | null {
  return isFollowed(state) ? (state.plan.steps.find(({ status }) => status === "blocked") ?? null) : null;
}

function settled(state: SessionState, event: EventOf<"tool.settled">): SessionState {
  const { todos = state.todos, plan, isReplan } = event.result;
  if (!plan) return todos === state.todos ? state : { ...state, todos };
  const planTask = state.task.phase === "IDLE" ? null : state.task.task.id;
  return { ...state, todos, plan, planTask, isPlanReported: true, replans: state.replans + (isReplan ? 1 : 0) };
}

/** A model that never says how far it is has done what it began, once its task is completed. */
function atEnd(state: SessionState): SessionState {
  if (!isFollowed(state) || state.isPlanReported) return state;
  const open = state.plan.steps.find(({ status }) => status === "in_progress");
  return open ? { ...state, plan: withStatus(state.plan, open.id, "done") } : state;
}

function paid(state: SessionState, notes: AskedNotes | undefined): SessionState {
  if (!notes) return state;
  return { ...state, usage: add(state.usage, notes.usage), cost: withCost(state.cost, notes.cost) };
}

function withCost(sum: number | null, cost: number | undefined): number | null {
  return sum === null || cost === undefined ? null : sum + cost;
}

function add(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cachedInput: a.cachedInput + b.cachedInput,
    reasoning: a.reasoning + b.reasoning,
  };
}
