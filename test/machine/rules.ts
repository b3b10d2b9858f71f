// Rules that one step, or one moment of rest, can be held against by itself.
import type { Effect } from "../../src/contract/effect.ts";
import type { Event, EventOf } from "../../src/contract/event.ts";
import { runOfCall } from "../../src/contract/ids.ts";
import type { Rung } from "../../src/contract/task.ts";
import { pending } from "../../src/machine/pending.ts";
import {
  type CallState,
  coreOf,
  isRunOver,
  openCalls,
  type RunState,
  runsOf,
  type SessionState,
  workingCalls,
} from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";

export function must(holds: boolean, rule: string, ...about: readonly unknown[]): asserts holds {
  if (!holds) throw new Error(`${rule}: ${about.map((one) => JSON.stringify(one)).join(" ")}`);
}

export function isStopping({ task }: Pick<SessionState, "task">): boolean {
  return (task.phase === "SUMMARIZING" || task.phase === "RECOVERING") && task.stopping;
}

/** The step index rises by exactly one, and only within its run. */
export function checkIndex(before: SessionState, event: Event, after: SessionState): void {
  if (event.type === "task.continued") {
    checkGoOn(before, event, after);
    return;
  }
  for (const run of runsOf(after)) {
    if (!("run" in run)) continue;
    const { id, index } = run.run;
    const old = runsOf(before).find((one) => coreOf(one)?.id === id);
    const last = coreOf(old ?? { phase: "idle" })?.index ?? 0;
    const mayRise = old !== undefined || (event.type === "sub.started" && event.subId === id);
    must(index === last || (mayRise && index === last + 1), "the step index rises by one", last, index);
  }
}

/** A cut call is repeated under its index as a new attempt; else the next step follows. */
function checkGoOn({ stopped }: SessionState, { nextRunId }: EventOf<"task.continued">, { run }: SessionState): void {
  if (!("run" in run) || run.run.id === nextRunId || !stopped || !("run" in stopped.run)) return;
  const { id, index } = stopped.run.run;
  must(run.run.id === id, "it goes on in the run that stopped", run, stopped);
  if (run.phase !== "model_running") return;
  const cut = "cut" in stopped.run ? stopped.run.cut : undefined;
  const [step, attempt] = cut ? [index, cut.attempt + 1] : [index + 1, 1];
  must(run.run.index === step && run.attempt === attempt, "a cut call is made again under its index", run, stopped);
}

/** IN-5: what a person steers with is delivered before the next step, all of it, and only then. */
export function checkSteering(before: SessionState, { state, effects }: Step<SessionState>): void {
  const delivered = effects.flatMap((one) => (one.type === "deliver_input" ? one.inputIds : []));
  // Between the start of a run and its first step lie the calls of ours, if there are any.
  const first = before.run.phase === "preparing" ? 1 : 0;
  const own = coreOf(state.run)?.id;
  const isNext = effects.some(
    (one) => one.type === "call_model" && one.runId === own && one.index > first && one.attempt === 1,
  );
  const waiting = before.queue.filter((one) => one.delivery === "steer" && one.kind === "task");
  // What runs inside a call has no person to listen to.
  const want = isNext ? waiting.map((one) => one.inputId) : [];
  must(Bun.deepEquals(delivered, want), "steering input is delivered between two steps", delivered, want);
}

const idle: readonly CallState["status"][] = ["queued", "denied", "refused", "settled"];
const isActive = (one: CallState) => !idle.includes(one.status);

/** SM-3, SM-4: what a reply wants done waits for its plan, and a model speaks only where one is wanted. */
export function checkPlanning({ task, run }: SessionState, effects: readonly Effect[]): void {
  const isHeld = "held" in run;
  const isPlanning = "run" in run && run.run.planning && !isRunOver(run);
  must(!isHeld || openCalls(run).every((one) => one.status === "queued"), "nothing of a held reply has begun", run);
  if (task.phase === "AWAITING_CONFIRMATION")
    must(isHeld === task.begun, "a reply is held while its plan is asked about", run);
  if (["EXECUTING", "VERIFYING"].includes(task.phase)) must(!isHeld && !isPlanning, "what executes has its plan", run);
  for (const { type } of effects) {
    const isRunning = ["EXECUTING", "VERIFYING", "RECOVERING"].includes(task.phase);
    const begins = type === "decide_call" || type === "intend_call" || type === "execute_call";
    const isBefore = "run" in run && (run.run.index === 0 || run.run.lacksPlan === true);
    must(!begins || isRunning || isBefore, "no call begins before the plan is settled", type, task.phase);
    if (type !== "call_model" || task.phase === "IDLE") continue;
    const isModels = task.phase === "EXECUTING" || (task.phase === "PLANNING" && task.begun);
    must(isModels && task.task.input.kind === "task", "a model is called only for what a model is to do", task);
    must(task.task.refusals < 2, "a plan that was refused twice is not asked for again", task);
  }
}

/** VF-1, VF-2: one check after the other, and not more rounds than allowed. */
export function checkRounds(event: Event, { state: { task }, effects }: Step<SessionState>): void {
  if (task.phase === "IDLE") return;
  const { rounds, limits } = task.task;
  must(rounds.length <= (limits.maxChecks ?? 0), "there are not more rounds of checks than allowed", rounds);
  if (event.type !== "check.judged" || task.phase !== "VERIFYING") return;
  const stops = !event.result.ok && task.todo[task.results.length - 1]?.stopOnFail === true;
  const isLast = task.results.length === task.todo.length;
  const last = task.task.input.schema === undefined ? [] : ["check_answer"];
  const want = stops || isLast ? last : ["start_run"];
  const orders = effects.map(({ type }) => type);
  must(Bun.deepEquals(orders, want), "a failure stops the round where it shall", effects);
}

const climbs: readonly (Rung | undefined)[] = ["retry", "fallback", "ask"];

/** SM-8: each rung after failed calls once in a task, a retry only of reads, and the budget goes on; nothing runs while it asks. */
export function checkLadder(
  before: SessionState,
  event: Event,
  { state: { task, run }, effects }: Step<SessionState>,
): void {
  if (task.phase === "IDLE") return;
  const { rungs } = task.task;
  const climbed = rungs.filter((rung) => climbs.includes(rung));
  must(new Set(climbed).size === climbed.length, "each rung after failed calls is climbed once", rungs);
  if (task.phase === "RECOVERING" && task.asks) {
    must(isRunOver(run), "nothing runs while the person is asked how to go on", run);
    must(
      event.type !== "recovery.decided" || effects[0]?.type === "ask_clarification",
      "who is asked hears it",
      effects,
    );
  }
  const wasRun = "run" in before.run ? before.run.run : null;
  if (event.type === "recovery.decided" && event.rung === "retry" && wasRun)
    must(wasRun.failure?.access === "read", "only a read is tried again", wasRun);
  const begins = "run" in run && run.run.id !== wasRun?.id && run.run.withModel;
  if (begins && wasRun && climbs.includes(rungs.at(-1)))
    must(run.run.tokens === wasRun.tokens, "what was spent stays spent", run.run.tokens, wasRun.tokens);
}

const onlyReads = ({ call, form }: CallState) =>
  call.access === "read" || call.problem !== undefined || (call.role === "runs" && form?.readOnly === true);

/** Ahead of its turn a command is judged, or proved to read. */
const mayBegin = (one: CallState) => onlyReads(one) || one.ahead === "judging";

/** TP-1…3: in each run one call with effects at a time, in order; an intent before the execution; one prompt at a time over all runs. */
export function checkCalls(state: SessionState, intended: ReadonlySet<string>): void {
  const runs = runsOf(state);
  for (const run of runs) checkOpen(openCalls(run), intended);
  const asking = runs.flatMap(openCalls).filter((one) => one.status === "asking");
  must(asking.length <= 1, "one prompt at a time", asking);
  for (const run of runs) {
    if (isRunOver(run) || !("run" in run) || run.run.stopping === "closing") continue;
    const isAsking = openCalls(run).some((one) => one.status === "asking");
    must((run.phase === "awaiting_human") === isAsking, "awaiting_human means that a prompt is open", run);
    const waits = openCalls(run).some((one) => one.status === "waiting") && run.run.stopping === "no";
    must(!waits || asking.length === 1, "a call waits only behind an open prompt", run);
  }
}

function checkOpen(calls: readonly CallState[], intended: ReadonlySet<string>): void {
  calls.forEach((one, at) => {
    if (one.status === "executing") must(intended.has(one.call.id), "what executes has its intent in the log", one);
    must((one.status === "settled") === (one.result !== null), "settled calls have a result, and only they", one);
    if (!isActive(one)) return;
    const first = calls.findIndex((other) => other.status !== "settled");
    const before = calls.slice(first, at).filter((other) => other.status !== "settled");
    const reads = before.every(onlyReads) && mayBegin(one);
    const delegates = [...before, one].every(({ call }) => call.overlaps || call.problem !== undefined);
    must(before.length === 0 || reads || delegates, "a call begins when it is next, or beside its like", calls);
  });
}

/** The runs inside close their calls before the one around them does. */
export function isClosing({ subs }: SessionState): boolean {
  return subs.some(({ isStopped }) => isStopped);
}

/** TL-5: no nesting, budgets hold over the sum, and the end of a run inside is the result of the call it is in. */
export function checkSub(before: SessionState, event: Event, { state, effects }: Step<SessionState>): void {
  const main = coreOf(state.run);
  for (const { run, callId, isStopped } of state.subs) {
    must(main?.withModel === true && "run" in run && run.run.withModel, "only a model hands work on, and to a model");
    const call = openCalls(state.run).find((one) => one.call.id === callId);
    must(call?.status === "executing", "the call it is in runs as long as it does", call);
    const { limits, share, index, stopping } = run.run;
    must(Bun.deepEquals(limits, main.limits), "limits", run);
    must(!share || index <= Math.max(1, share.maxSteps), "a share of the steps is not exceeded", run);
    must(stopping === main.stopping || isStopped === true || isRunOver(run), "a cancel is for the tree", run);
  }
  const known = new Set(before.subs.map(({ callId }) => callId));
  const begun = state.subs.filter(({ callId }) => !known.has(callId));
  must(begun.length === (event.type === "sub.started" ? 1 : 0), "only its start begins it", event);
  for (const was of before.subs.filter(({ callId }) => !state.subs.some((one) => one.callId === callId))) {
    must(isRunOver(was.run) || isClosing(before) || isStopping(state), "it ends when it is over", event);
    const [spent, had] = [main, coreOf(before.run)];
    must(spent?.id === had?.id, "then the outer run goes on", main);
    must(spent !== undefined && had !== undefined && spent.tokens >= had.tokens, "what was spent stays spent", main);
  }
  const steps = runsOf(state).reduce((sum, run) => sum + stepsOf(run), 0);
  must(state.subs.length === 0 || steps <= (main?.limits.maxSteps ?? 0), "steps inside count as steps", steps);
  for (const one of effects) {
    if (one.type !== "settle_sub") continue;
    const sub = state.subs.find(({ callId }) => callId === one.callId);
    must(sub !== undefined && isRunOver(sub.run), "settled at its end", sub);
  }
}

function stepsOf(run: RunState): number {
  const { index = 0, innerSteps = 0 } = coreOf(run) ?? {};
  return index + innerSteps;
}

export function checkStopping(before: SessionState, event: Event, { state, effects }: Step<SessionState>): void {
  if (!isStopping(state)) return;
  for (const effect of effects) {
    const closes =
      effect.type === "settle_call" &&
      effect.status === "cancelled" &&
      (event.type === "run.stopped" || isClosing(before));
    const stops = effect.type === "stop_run" && !isStopping(before);
    const returns = effect.type === "return_input" && event.type === "cancel.requested";
    must(closes || stops || returns, "nothing is ordered while stopping", effect);
  }
}

/** At rest: what a crash would order again is what has no answer yet, neither more nor less. */
export function checkRest(state: SessionState, open: readonly Effect[]): void {
  const again = pending(state);
  must(state.task.phase === "IDLE" || again.length > 0, "a task always waits for something", state.task.phase);
  const want = isStopping(state)
    ? [...reconciles(state), ...open.filter((one) => one.type === "stop_run")]
    : open.map(afterCrash);
  const sorted = (list: readonly Effect[]) => list.map((one) => JSON.stringify(one)).sort();
  must(Bun.deepEquals(sorted(again), sorted(want)), "what is pending is what has no answer", again, want);
}

function reconciles(state: SessionState): readonly Effect[] {
  const ran = workingCalls(state).filter((one) => one.status === "executing");
  return ran.map(({ call }) => ({ type: "reconcile_call", runId: runOfCall(call.id), callId: call.id }));
}

function afterCrash(effect: Effect): Effect {
  if (effect.type === "execute_call") return { ...effect, type: "reconcile_call" };
  return effect.type === "wait_retry" ? { ...effect, ms: 0 } : effect;
}
