import type { Effect } from "../contract/effect.ts";
import type { ErrorInfo } from "../contract/error.ts";
import type { Event, EventOf } from "../contract/event.ts";
import type { InputId } from "../contract/ids.ts";
import type { StopReason } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { afterStep, freshBreakers, MAX_IDLE_STEPS } from "./breakers.ts";
import { budgetSpent, costSpent, nothingSpent, type Spent, stepsSpent } from "./budget.ts";
import { closing, onCall, queued, refusal, startNext } from "./calls.ts";
import { noteFailure } from "./failed-call.ts";
import { type CallState, completed, type RunCore, type RunState, type TaskCore, type TaskEnd } from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";

type RunStep = Step<RunState>;

/** What a run is told of the rest of the session. */
export interface Around {
  /** Input to be delivered before the next step. */
  readonly steer: readonly InputId[];
  readonly others: Spent;
  /** Another run has the open prompt. */
  readonly isAsking: boolean;
}

export const alone: Around = { steer: [], others: nothingSpent, isAsking: false };

/** Inherited from the previous run of the task: used budget (BR-4) and the last failure. */
export type Inherited = Pick<RunCore, "failure"> & { readonly tokens?: number; readonly cost?: number };

/** `calls`: it executes given calls, without a model. */
export function preparing({ runId: id, limits }: TaskCore, by: "model" | "calls", inherited: Inherited = {}): RunState {
  return { phase: "preparing", run: { ...freshRun, id, withModel: by === "model", limits, ...inherited } };
}

export const freshRun = {
  ...{ index: 0, breakers: freshBreakers, tokens: 0, cost: 0, lastText: "" },
  ...{ planning: false, unanswered: false, denied: false, stopping: "no" },
} as const satisfies Partial<RunCore>;

/** The run machine (SM-5). Events of other runs never get here, nor plan events that no reply waits for. */
export function reduceRun(state: RunState, event: Event, around: Around): RunStep {
  switch (state.phase) {
    case "preparing":
      return event.type === "run.started" ? started(state.run, event) : orStop(state, event);
    case "model_running":
      return onModel(state, event, around);
    case "tool_running":
    case "awaiting_human":
      return onTools(state, event, around);
    case "idle":
    case "completed":
    case "failed":
    case "aborted":
      return stale(state);
  }
}

function started(run: RunCore, event: EventOf<"run.started">): RunStep {
  if (run.stopping !== "no") return stale({ phase: "preparing", run });
  if (event.calls.length > 0) return enterTools(run, event.calls.map(queued));
  if (!run.withModel) return ended(run);
  const spent = costSpent(run);
  return spent ? stopAt(run, "BUDGET", spent) : callModel({ ...run, index: 1 }, []);
}

/** A cancel is the same in every phase: nothing new is ordered after it, and `run.stopped` ends the run. */
function orStop(state: Extract<RunState, { run: RunCore }>, event: Event): RunStep {
  const { run } = state;
  if (event.type === "cancel.requested" || event.type === "task.timed_out") {
    return run.stopping === "no" ? to({ ...state, run: { ...run, stopping: "asked" } }) : stale(state);
  }
  if (event.type === "run.stopped" && run.stopping === "asked")
    return to({
      phase: "aborted",
      run,
      ...(state.phase === "model_running" ? { cut: { attempt: state.attempt } } : {}),
    });
  return run.stopping === "no" ? unexpected(state, state.phase, event.type) : stale(state);
}

type ModelRunning = Extract<RunState, { phase: "model_running" }>;

/** The activity that each event answers. */
const answers = {
  ...{ "model.replied": "calling", "model.failed": "calling", "context.overflowed": "calling" },
  ...{ "retry.due": "waiting", "context.compacted": "compacting" },
} as const;

function onModel(state: ModelRunning, event: Event, around: Around): RunStep {
  const { run } = state;
  if (run.stopping !== "no" || !("index" in event)) return orStop(state, event);
  if (event.index !== run.index || ("attempt" in event && event.attempt !== state.attempt)) return stale(state);
  const again = { runId: run.id, index: run.index, attempt: state.attempt + 1 };
  if (event.type !== "reply.cut" && state.doing !== answers[event.type])
    return unexpected(state, state.doing, event.type);
  switch (event.type) {
    case "model.replied":
      return replied(run, event, around);
    case "model.failed": {
      if (event.retryInMs === null) return failed(state, event.error);
      const next = { ...state, failures: state.failures + 1, doing: "waiting" } as const;
      return to(next, { type: "wait_retry", ...again, attempt: state.attempt, ms: event.retryInMs });
    }
    case "reply.cut":
      return stale(state);
    case "retry.due":
      return to({ ...state, attempt: again.attempt, doing: "calling" }, { type: "call_model", ...again });
    case "context.overflowed":
      return overflowed(state, event);
    case "context.compacted": {
      const error = { code: "E_MODEL", text: phrase("run.overflow"), advice: phrase("run.overflow_advice") } as const;
      if (event.compaction.stage === "exhausted") return failed(state, error);
      const spent = budgetSpent(run, around.others);
      if (spent) return stopAt(run, "BUDGET", spent);
      const { notes: _, ...rest } = state;
      return to({ ...rest, attempt: again.attempt, doing: "calling" }, { type: "call_model", ...again });
    }
  }
}

function failed(state: ModelRunning, error: ErrorInfo): RunStep {
  const end = { stop: "PROVIDER_FAILED", error, note: null } as const;
  return to({ phase: "failed", run: state.run, end, cut: { attempt: state.attempt } });
}

function overflowed(state: ModelRunning, { notes }: EventOf<"context.overflowed">): RunStep {
  const { run, attempt } = state;
  const order: Effect = { type: "compact", runId: run.id, index: run.index, attempt };
  if (!notes) return to({ ...state, doing: "compacting" }, order);
  const { input, output } = notes.usage;
  const paid = { ...run, tokens: run.tokens + input + output, cost: run.cost + (notes.cost ?? 0) };
  return to({ ...state, run: paid, doing: "compacting", notes: notes.text }, order);
}

function replied(before: RunCore, event: EventOf<"model.replied">, around: Around): RunStep {
  const { reply } = event;
  const run = {
    ...before,
    tokens: before.tokens + reply.usage.input + reply.usage.output,
    cost: before.cost + (reply.cost ?? 0),
    lastText: reply.text || before.lastText,
  };
  if (run.planning)
    return to(
      { phase: "tool_running", run, calls: reply.calls.map(queued), held: true },
      { type: "read_plan", runId: run.id },
    );
  if (reply.calls.length > 0) return enterTools(run, reply.calls.map(queued));
  if (around.steer.length > 0) return nextStep(run, around, []);
  return ended(run, reply.finish === "refused");
}

/** A model that refuses, in whatever words, has not done the task. */
function ended(run: RunCore, isRefused = false): RunStep {
  const end: TaskEnd = isRefused ? { ...completed, stop: "BLOCKED" } : completed;
  if (!run.denied) return to({ phase: "completed", run, end });
  // Whether the denial stopped the model, or it did its work another way, is decided at the end of the task.
  const isOpen = run.withModel && run.limits.endsByFacts === true;
  return to({ phase: "completed", run, end: isOpen ? { ...end, denied: true } : { ...end, stop: "DENIED" } });
}

function enterTools(run: RunCore, calls: readonly CallState[]): RunStep {
  const step = startNext(run, calls);
  return { ...step, state: { phase: "tool_running", run, calls: step.state } };
}

type ToolsRunning = Extract<RunState, { phase: "tool_running" | "awaiting_human" }>;

function onTools(state: ToolsRunning, event: Event, around: Around): RunStep {
  const { run } = state;
  switch (event.type) {
    case "tool.decided":
    case "tool.deferred":
    case "approval.answered":
    case "tool.intended":
    case "process.spawned":
    case "tool.settled": {
      if (state.held) return orStop(state, event);
      const step = onCall(run, state.calls, event, around.isAsking);
      if (!step.accepted) return { ...step, state };
      if (event.type === "approval.answered" && event.by === "nobody" && event.answer === "no")
        return { ...step, state: withCalls({ ...run, unanswered: true }, step.state) };
      if (event.type === "tool.deferred" || (event.type === "tool.decided" && event.run?.readOnly))
        return startedOthers(run, step);
      if (event.type !== "tool.settled") return { ...step, state: withCalls(run, step.state) };
      return settled(run.withModel ? noteFailure(run, step.state, event) : run, step, around);
    }
    case "plan.settled":
    case "plan.answered":
    case "plan.rejected":
      return onPlan(state, event, around);
    case "run.stopped":
      return run.stopping === "asked" ? closeCalls(state) : orStop(state, event);
    default:
      return orStop(state, event);
  }
}

/** TP-2: with the decision on a command it is known whether the calls behind it may start. */
function startedOthers(run: RunCore, { state, effects }: Step<readonly CallState[]>): RunStep {
  const next = startNext(run, state);
  return to(withCalls(run, next.state), ...effects, ...next.effects);
}

type PlanEvent = EventOf<"plan.settled" | "plan.answered" | "plan.rejected">;

/** The plan of a waiting reply was settled: its calls start, or they are refused and the model is asked again. */
function onPlan(state: ToolsRunning, event: PlanEvent, around: Around): RunStep {
  const { run, calls } = state;
  if (event.type === "plan.rejected") {
    if (event.missing && calls.length > 0) return enterTools({ ...run, lacksPlan: true }, calls);
    if (event.missing) return nextStep(run, around, [phrase("run.plan_missing")]);
    const why = phrase("run.plan_unsound", { problems: event.problems });
    return refuse(run, calls, "refused", why, around);
  }
  if (event.type === "plan.settled") {
    const { edit, ...held } = state;
    const rest = { ...held, calls: [...(event.calls ?? []).map(queued), ...calls] };
    const next = edit ? { ...rest, edit: { ...edit, plan: event.plan ?? edit.plan } } : rest;
    if (event.plan !== null && event.needsConfirmation) return to(next);
    return goOn(next, around, { holdsPlan: event.plan !== null, isOnlyPlan: event.goesOn === true });
  }
  if (event.answer === "yes") return goOn(state, around, { holdsPlan: true, isOnlyPlan: true });
  if (event.answer === "edit") return to({ ...state, edit: { plan: event.plan, words: event.words } });
  const key = event.words ? "run.plan_refused_with_words" : "run.plan_refused";
  return refuse({ ...run, denied: true }, calls, "denied", phrase(key, { words: event.words }), around);
}

interface Reply {
  readonly holdsPlan: boolean;
  /** The model should continue with the plan, even if its reply had no calls. */
  readonly isOnlyPlan: boolean;
}

function goOn({ run: before, calls, edit }: ToolsRunning, around: Around, { holdsPlan, isOnlyPlan }: Reply): RunStep {
  // Earlier denials belonged to another plan.
  const run = { ...before, planning: false, denied: before.denied && !holdsPlan };
  if (edit) {
    const why = phrase("run.plan_edited", { plan: JSON.stringify(edit.plan), words: edit.words });
    return refuse(run, calls, "refused", why, around);
  }
  if (calls.length > 0) return enterTools(run, calls);
  if (!isOnlyPlan && around.steer.length === 0) return ended(run);
  return nextStep(run, around, isOnlyPlan ? [phrase("run.plan_go_on")] : []);
}

function refuse(
  run: RunCore,
  calls: readonly CallState[],
  status: "denied" | "refused",
  why: Phrase,
  around: Around,
): RunStep {
  if (calls.length === 0) return nextStep(run, around, [why]);
  const next = calls.map((one): CallState => ({ ...one, status, reasons: [why] }));
  return to({ phase: "tool_running", run, calls: next }, ...next.flatMap((one) => refusal(run.id, one)));
}

export function withCalls(run: RunCore, calls: readonly CallState[]): RunState {
  const asks = run.stopping !== "closing" && calls.some((one) => one.status === "asking");
  return { phase: asks ? "awaiting_human" : "tool_running", run, calls };
}

/** TP-4: everything a cancel left open gets a cancelled result, one event each; the last one ends the run. */
export function closeCalls(state: ToolsRunning): RunStep {
  const effects = closing(state.run.id, state.calls);
  if (effects.length === 0) return to({ phase: "aborted", run: state.run });
  return to({ phase: "tool_running", run: { ...state.run, stopping: "closing" }, calls: state.calls }, ...effects);
}

function settled(before: RunCore, step: Step<readonly CallState[]>, around: Around): RunStep {
  const calls = step.state;
  const now = standing(before, calls);
  const isSame = now.denied === before.denied && now.hasDone === before.hasDone;
  const run = isSame ? before : { ...before, ...now };
  const allSettled = calls.every((one) => one.status === "settled");
  if (run.stopping === "closing" && allSettled) return to({ phase: "aborted", run });
  if (run.stopping !== "no") return { ...step, state: withCalls(run, calls) };
  if (!allSettled) {
    const next = startNext(run, calls);
    return { ...next, state: withCalls(run, next.state), effects: [...step.effects, ...next.effects] };
  }
  if (!run.withModel) return ended(run);
  if (run.unanswered) return stopAt(run, "NEEDS_ANSWER", phrase("run.needs_answer"));
  const verdict = afterStep(
    run.breakers,
    calls.flatMap(({ call, result }) =>
      result ? [{ call: call.key, result: result.key, progress: result.progress }] : [],
    ),
  );
  const counted = { ...run, breakers: verdict.breakers };
  if (verdict.noProgress) return stopAt(counted, "MAX_ITER", phrase("run.max_iter", { n: MAX_IDLE_STEPS }));
  const { lacksPlan, ...next } = counted;
  return nextStep(next, around, lacksPlan ? [...verdict.advice, phrase("run.plan_missing")] : verdict.advice);
}

/** Only a call that can have effects makes up for a denied one, in either order. */
function standing({ denied, hasDone }: RunCore, calls: readonly CallState[]): Pick<RunCore, "denied" | "hasDone"> {
  const isDeed = ({ call, form }: CallState): boolean =>
    call.access !== "read" && call.access !== "session" && form?.readOnly !== true;
  const acts = hasDone === true || calls.some((one) => one.result?.status === "done" && isDeed(one));
  const isDenied = !acts && (denied || calls.some(({ result }) => result?.status === "denied"));
  return { denied: isDenied, ...(acts ? { hasDone: true } : {}) };
}

/** BR-1 and the token and cost budgets apply before a model call, never within a step. */
export function nextStep(run: RunCore, { steer, others }: Around, advice: readonly Phrase[]): RunStep {
  const steps = stepsSpent(run, others);
  if (steps) return stopAt(run, "STEP_LIMIT", steps);
  const spent = budgetSpent(run, others);
  if (spent) return stopAt(run, "BUDGET", spent);
  const effects: Effect[] = advice.map((text) => ({ type: "give_advice", runId: run.id, text }));
  if (steer.length > 0) effects.push({ type: "deliver_input", runId: run.id, inputIds: steer });
  return callModel({ ...run, index: run.index + 1 }, effects);
}

function callModel(run: RunCore, first: readonly Effect[]): RunStep {
  const state: RunState = { phase: "model_running", run, attempt: 1, failures: 0, doing: "calling" };
  return to(state, ...first, { type: "call_model", runId: run.id, index: run.index, attempt: 1 });
}

function stopAt(run: RunCore, stop: StopReason, note: Phrase): RunStep {
  return to({ phase: "completed", run, end: { stop, error: null, note } });
}
