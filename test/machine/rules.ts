// Rules that one step, or one moment of rest, can be held against by itself.
import type { Effect } from "../../src/contract/effect.ts";
import type { Event, EventOf } from "../../src/contract/event.ts";
import type { Rung } from "../../src/contract/task.ts";
import { pending } from "../../src/machine/pending.ts";
import { type CallState, isRunOver, openCalls, type SessionState } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";

export function must(holds: boolean, rule: string, ...about: readonly unknown[]): asserts holds {
  if (!holds) throw new Error(`${rule}: ${about.map((one) => JSON.stringify(one)).join(" ")}`);
}

export function isStopping({ task }: Pick<SessionState, "task">): boolean {
  return (task.phase === "SUMMARIZING" || task.phase === "RECOVERING") && task.stopping;
}

/** The step index rises by exactly one, and only within its run. */
export function checkIndex(before: SessionState, event: Event, after: SessionState): void {
  if (!("run" in after.run)) return;
  const { id, index } = after.run.run;
  if (event.type === "task.continued") {
    checkGoOn(before, event, after);
    return;
  }
  if (after.outer !== null && before.outer === null) {
    must(index <= 1, "what is inside begins anew", index);
    return;
  }
  if (after.outer === null && before.outer !== null) {
    must(index - before.outer.run.run.index <= 1, "the outer run goes on where it was", index);
    return;
  }
  const same = "run" in before.run && before.run.run.id === id;
  const last = same && "run" in before.run ? before.run.run.index : 0;
  must(index === last || (same && index === last + 1), "the step index rises by one", last, index);
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
  const isNext = effects.some((one) => one.type === "call_model" && one.index > first && one.attempt === 1);
  const waiting = before.queue.filter((one) => one.delivery === "steer" && one.kind === "task");
  // What runs inside a call has no person to listen to.
  const want = isNext && state.outer === null ? waiting.map((one) => one.inputId) : [];
  must(Bun.deepEquals(delivered, want), "steering input is delivered between two steps", delivered, want);
}

const idle: readonly CallState["status"][] = ["queued", "denied", "refused", "settled"];
const isActive = (one: CallState) => !idle.includes(one.status);

/** SM-3, SM-4: what a reply wants done waits for its plan, and a model speaks only where one is wanted. */
export function checkPlanning({ task, run, outer }: SessionState, effects: readonly Effect[]): void {
  const isHeld = "held" in run;
  const isPlanning = "run" in run && run.run.planning && !isRunOver(run);
  must(!isHeld || openCalls(run).every((one) => one.status === "queued"), "nothing of a held reply has begun", run);
  if (task.phase === "AWAITING_CONFIRMATION")
    must(isHeld === task.begun, "a reply is held while its plan is asked about", run);
  if (["EXECUTING", "VERIFYING"].includes(task.phase)) must(!isHeld && !isPlanning, "what executes has its plan", run);
  for (const { type } of effects) {
    const isRunning = ["EXECUTING", "VERIFYING", "RECOVERING"].includes(task.phase);
    const begins = type === "decide_call" || type === "intend_call" || type === "execute_call";
    const own = outer?.run ?? run;
    const isBefore = "run" in own && (own.run.index === 0 || own.run.lacksPlan === true);
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

/** TP-1…3: one call with effects at a time, in order; an intent before the execution; one prompt at a time. */
export function checkCalls({ run }: SessionState, intended: ReadonlySet<string>): void {
  const calls = openCalls(run);
  calls.forEach((one, at) => {
    if (one.status === "executing") must(intended.has(one.call.id), "what executes has its intent in the log", one);
    must((one.status === "settled") === (one.result !== null), "settled calls have a result, and only they", one);
    if (!isActive(one)) return;
    const first = calls.findIndex((other) => other.status !== "settled");
    const reads = calls.slice(first, at).every((other) => other.status === "settled" || onlyReads(other));
    must(first === at || (reads && mayBegin(one)), "a call begins when it is next, and only reads overlap", calls);
  });
  const asking = calls.filter((one) => one.status === "asking").length;
  must(asking <= 1, "one prompt at a time", calls);
  if (isRunOver(run) || !("run" in run) || run.run.stopping === "closing") return;
  must((run.phase === "awaiting_human") === (asking === 1), "awaiting_human means that a prompt is open", run);
  const waits = calls.some((one) => one.status === "waiting") && run.run.stopping === "no";
  must(!waits || asking === 1, "a call waits only behind an open prompt", calls);
}

/** The inner run closes its calls before the outer one does. */
export function isClosing({ outer }: SessionState): boolean {
  return outer?.isStopped === true;
}

/** TL-5: no nesting, budgets go on, and the end of the inner run is the result of the call it is in. */
export function checkSub(before: SessionState, event: Event, { state, effects }: Step<SessionState>): void {
  const { outer, run } = state;
  const was = before.outer;
  if (outer && "run" in run) {
    must(outer.run.run.withModel && run.run.withModel, "only a model hands work on, and to a model", outer);
    const call = outer.run.calls.find((one) => one.call.id === outer.callId);
    must(call?.status === "executing", "the call it is in runs as long as it does", call);
    must(
      run.run.limits === outer.run.run.limits || Bun.deepEquals(run.run.limits, outer.run.run.limits),
      "limits",
      run,
    );
    const steps = run.run.index + (run.run.innerSteps ?? 0);
    must(steps <= run.run.limits.maxSteps, "steps inside count as steps", steps);
    must(run.run.stopping === outer.run.run.stopping || outer.isStopped || isRunOver(run), "a cancel is for both", run);
  }
  if (!was && outer) must(event.type === "sub.started", "only its start begins it", event);
  if (was && outer) must(was.callId === outer.callId, "they do not nest", was, outer);
  if (was && !outer && "run" in before.run && "run" in run) {
    must(isRunOver(before.run) || was.isStopped || isStopping(state), "it ends when it is over", event);
    must(run.run.id === was.run.run.id, "then the outer run goes on", run);
    must(run.run.tokens >= was.run.run.tokens && run.run.cost >= was.run.run.cost, "what was spent stays spent", run);
    must(Bun.deepEquals(state.view, was.view), "with its own view", state.view);
  }
  if (effects.some(({ type }) => type === "settle_sub"))
    must(outer !== null && isRunOver(run), "settled at its end", run);
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

function reconciles({ run }: SessionState): readonly Effect[] {
  const runId = "run" in run ? run.run.id : "";
  const ran = openCalls(run).filter((one) => one.status === "executing");
  return ran.map((one) => ({ type: "reconcile_call", runId, callId: one.call.id }));
}

function afterCrash(effect: Effect): Effect {
  if (effect.type === "execute_call") return { ...effect, type: "reconcile_call" };
  return effect.type === "wait_retry" ? { ...effect, ms: 0 } : effect;
}
