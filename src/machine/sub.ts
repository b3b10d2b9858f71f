import type { EventOf } from "../contract/event.ts";
import type { RunId } from "../contract/ids.ts";
import { closeCalls, freshRun, nextStep, reduceRun } from "./run.ts";
import {
  callState,
  coreOf,
  isRunOver,
  type OuterRun,
  type RunCore,
  type RunState,
  type SessionState,
} from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";

type SessionStep = Step<SessionState>;

/** TL-5: suspends the running run for one inside its call. The inner run gets the remaining budgets. */
export function startSub(state: SessionState, event: EventOf<"sub.started">): SessionStep {
  const { run, view } = state;
  const { callId, subId, sub } = event;
  if (isRunOver(run) || run.run.stopping !== "no") return stale(state);
  // Index 0 means our own calls, and those never delegate.
  const isModels = run.run.withModel && run.run.index > 0;
  const isReady = run.phase === "tool_running" && callState(run, callId)?.status === "executing";
  if (!isReady || !isModels || state.outer) return unexpected(state, run.phase, event.type);
  const step = nextStep(inner(run.run, subId), [], []);
  const outer: OuterRun = { run, callId, kind: sub.kind, view, isStopped: false };
  const fresh = { pruneBefore: 0, trimBefore: 0 };
  const next = { ...state, run: step.state, outer, view: fresh, runs: state.runs + 1 };
  return isRunOver(step.state) ? afterSub(next) : { ...step, state: next };
}

function inner({ limits, index, innerSteps = 0, tokens, cost }: RunCore, id: RunId): RunCore {
  return { ...freshRun, id, withModel: true, limits, innerSteps: innerSteps + index, tokens, cost };
}

/** Returns to the task's run, adding the inner run's usage and denials. */
export function leaveSub(state: SessionState): SessionState {
  const { outer, run } = state;
  if (!outer) return state;
  const before = outer.run.run;
  const { tokens, cost, index, unanswered, denied } = coreOf(run) ?? before;
  const core: RunCore = {
    ...before,
    tokens,
    cost,
    innerSteps: (before.innerSteps ?? 0) + index,
    unanswered: before.unanswered || unanswered,
    denied: before.denied || denied,
  };
  return { ...state, run: { ...outer.run, run: core }, outer: null, view: outer.view };
}

/** A cancel stops both runs: the outer one orders nothing after it either. */
export function stopOuter(outer: OuterRun): OuterRun {
  const { run } = outer;
  return run.run.stopping === "no" ? { ...outer, run: { ...run, run: { ...run.run, stopping: "asked" } } } : outer;
}

/** Everything has stopped (CAN-1): the inner run closes its calls, then the outer one. */
export function subStopped(state: SessionState, event: EventOf<"run.stopped">): SessionStep {
  const { outer, run } = state;
  if (!outer || !("run" in run) || outer.isStopped || outer.run.run.stopping !== "asked") return stale(state);
  const inner = isRunOver(run) ? to<RunState>(run) : reduceRun(run, { ...event, runId: run.run.id }, []);
  const next = { ...state, run: inner.state, outer: { ...outer, isStopped: true } };
  return isRunOver(inner.state) ? afterSub(next) : { state: next, effects: inner.effects, accepted: true };
}

/** After the inner run: settles the call around it, or ends the outer run as well. */
export function afterSub(state: SessionState): SessionStep {
  const { outer } = state;
  if (!outer) return to(state);
  const { run, callId } = outer;
  if (!outer.isStopped) return to(state, { type: "settle_sub", runId: run.run.id, callId });
  const left = leaveSub(state);
  const step = closeCalls({ ...run, run: coreOf(left.run) ?? run.run });
  return { ...step, state: { ...left, run: step.state } };
}
