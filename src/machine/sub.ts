import type { Effect } from "../contract/effect.ts";
import type { Event, EventOf } from "../contract/event.ts";
import type { CallId, RunId } from "../contract/ids.ts";
import { nothingSpent, type Spent } from "./budget.ts";
import { withNextAsk } from "./calls.ts";
import { carry } from "./carry.ts";
import { alone, closeCalls, freshRun, nextStep, reduceRun, withCalls } from "./run.ts";
import {
  callState,
  coreOf,
  isAsking,
  isRunOver,
  openCalls,
  type RunCore,
  type RunState,
  runsOf,
  type SessionState,
  type SubRun,
  subWith,
} from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";

type SessionStep = Step<SessionState>;

/** TL-5: begins a run inside a call of the task's run. */
export function startSub(state: SessionState, event: EventOf<"sub.started">): SessionStep {
  const { run, subs } = state;
  const { runId, callId, subId, sub, share } = event;
  if (isRunOver(run) || run.run.stopping !== "no") return stale(state);
  // Index 0 means our own calls, and those never delegate.
  const isModels = run.run.id === runId && run.run.withModel && run.run.index > 0;
  const isReady = callState(run, callId)?.status === "executing" && !subs.some((one) => one.callId === callId);
  if (!isReady || !isModels) return unexpected(state, run.phase, event.type);
  const core = { ...freshRun, id: subId, withModel: true, limits: run.run.limits, ...(share ? { share } : {}) };
  const step = nextStep(core, { ...alone, others: spentBeside(state, subId) }, []);
  const fresh = { run: step.state, callId, kind: sub.kind, view: { pruneBefore: 0, trimBefore: 0 } };
  const next = { ...state, subs: [...subs, fresh], runs: state.runs + 1 };
  return isRunOver(step.state) ? afterSub(next, fresh) : { ...step, state: next };
}

/** BR-4: what all other runs of the task have used. */
export function spentBeside(state: SessionState, runId: RunId): Spent {
  return runsOf(state).reduce((sum, run) => {
    const core = coreOf(run);
    return !core || core.id === runId ? sum : plus(sum, core);
  }, nothingSpent);
}

function plus(sum: Spent, { index, innerSteps = 0, tokens, cost }: RunCore): Spent {
  return { steps: sum.steps + index + innerSteps, tokens: sum.tokens + tokens, cost: sum.cost + cost };
}

export function isAskingBeside(state: SessionState, runId: RunId): boolean {
  return runsOf(state).some((run) => run.phase === "awaiting_human" && run.run.id !== runId);
}

/** An event of a sub-agent's run. */
export function reduceSub(state: SessionState, sub: SubRun, event: Event & { readonly runId?: RunId }): SessionStep {
  const { id } = coreOf(sub.run) ?? { id: "" };
  const around = { steer: [], others: spentBeside(state, id), isAsking: isAskingBeside(state, id) };
  const step = reduceRun(sub.run, event, around);
  if (!step.accepted) return { ...step, state };
  const carried = carry(state, event);
  // Carrying may have changed its view.
  const changed = { ...(subWith(carried, id) ?? sub), run: step.state };
  const next = putSub(carried, changed);
  if (!isRunOver(step.state)) return { ...step, state: next };
  const after = afterSub(next, changed);
  return { ...after, effects: [...step.effects, ...after.effects] };
}

function putSub(state: SessionState, sub: SubRun): SessionState {
  return { ...state, subs: state.subs.map((one) => (one.callId === sub.callId ? sub : one)) };
}

/** After a sub-agent's run: settles the call around it, or ends the task's run once all have stopped. */
function afterSub(state: SessionState, { callId, isStopped }: SubRun): SessionStep {
  if (isStopped) return closeTree(state);
  const { id = "" } = coreOf(state.run) ?? {};
  return to(state, { type: "settle_sub", runId: id, callId });
}

/** The call around the sub-agent is settled: its usage and denials now belong to the task's run. */
export function leaveSub(state: SessionState, callId: CallId): SessionState {
  const { run } = state;
  const sub = state.subs.find((one) => one.callId === callId);
  const inner = sub && coreOf(sub.run);
  if (!inner || !("run" in run)) return state;
  const core: RunCore = {
    ...run.run,
    tokens: run.run.tokens + inner.tokens,
    cost: run.run.cost + inner.cost,
    innerSteps: (run.run.innerSteps ?? 0) + inner.index,
    unanswered: run.run.unanswered || inner.unanswered,
    denied: run.run.denied || inner.denied,
  };
  return { ...state, run: { ...run, run: core } as RunState, subs: state.subs.filter((one) => one !== sub) };
}

/** A cancel or a time-out is for the whole tree: nothing new is ordered after it. */
export function stopSubs(subs: readonly SubRun[], event: Event): readonly SubRun[] {
  return subs.map((sub) => (isRunOver(sub.run) ? sub : { ...sub, run: reduceRun(sub.run, event, alone).state }));
}

/** Everything has stopped (CAN-1): the sub-agents' runs close their calls, then the task's run its own. */
export function treeStopped(state: SessionState, event: EventOf<"run.stopped">): SessionStep {
  const stopping = coreOf(state.run)?.stopping;
  if (stopping === "no") return unexpected(state, state.run.phase, event.type);
  if (stopping !== "asked" || state.subs.some(({ isStopped }) => isStopped)) return stale(state);
  const effects: Effect[] = [];
  const subs = state.subs.map((sub): SubRun => {
    if (isRunOver(sub.run)) return { ...sub, isStopped: true };
    const step = reduceRun(sub.run, { ...event, runId: sub.run.run.id }, alone);
    effects.push(...step.effects);
    return { ...sub, run: step.state, isStopped: true };
  });
  const closed = closeTree({ ...state, subs });
  return { ...closed, effects: [...effects, ...closed.effects] };
}

function closeTree(state: SessionState): SessionStep {
  if (!state.subs.every(({ run }) => isRunOver(run))) return to(state);
  const left = state.subs.reduce((next, { callId }) => leaveSub(next, callId), state);
  const { run } = left;
  if (run.phase !== "tool_running" && run.phase !== "awaiting_human") return to(left);
  const step = closeCalls(run);
  return { ...step, state: { ...left, run: step.state } };
}

/** One prompt at a time, over all runs: the first call that waits is asked about when no other prompt is open. */
export function withPrompt(step: SessionStep): SessionStep {
  const { state } = step;
  if (isAsking(state)) return step;
  const run = runsOf(state).find((one) => openCalls(one).some(({ status }) => status === "waiting"));
  if (run?.phase !== "tool_running" || run.run.stopping !== "no") return step;
  const asked = withNextAsk(to(run.calls), run.run.id);
  const next = withCalls(run.run, asked.state);
  const sub = subWith(state, run.run.id);
  const put = sub ? putSub(state, { ...sub, run: next }) : { ...state, run: next };
  return { ...step, state: put, effects: [...step.effects, ...asked.effects] };
}
