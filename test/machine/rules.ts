// Rules that one step, or one moment of rest, can be held against by itself.
import type { Effect } from "../../src/contract/effect.ts";
import type { Event } from "../../src/contract/event.ts";
import { pending } from "../../src/machine/pending.ts";
import { type CallState, isRunOver, openCalls, type SessionState } from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";

export function must(holds: boolean, rule: string, ...about: readonly unknown[]): asserts holds {
  if (!holds) throw new Error(`${rule}: ${about.map((one) => JSON.stringify(one)).join(" ")}`);
}

export function isStopping({ task }: SessionState): boolean {
  return (task.phase === "SUMMARIZING" || task.phase === "RECOVERING") && task.stopping;
}

/** The step index rises by exactly one, and only within its run. */
export function checkIndex(before: SessionState, after: SessionState): void {
  if (!("run" in after.run)) return;
  const { id, index } = after.run.run;
  const same = "run" in before.run && before.run.run.id === id;
  const last = same && "run" in before.run ? before.run.run.index : 0;
  must(index === last || (same && index === last + 1), "the step index rises by one", last, index);
}

/** IN-5: what a person steers with is delivered before the next step, all of it, and only then. */
export function checkSteering(before: SessionState, { effects }: Step<SessionState>): void {
  const delivered = effects.flatMap((one) => (one.type === "deliver_input" ? one.inputIds : []));
  const isNext = effects.some((one) => one.type === "call_model" && one.index > 1 && one.attempt === 1);
  const waiting = before.queue.filter((one) => one.delivery === "steer" && one.kind === "task");
  const want = isNext ? waiting.map((one) => one.inputId) : [];
  must(Bun.deepEquals(delivered, want), "steering input is delivered between two steps", delivered, want);
}

const isActive = (one: CallState) => one.status !== "queued" && one.status !== "settled";

/** TP-1…3: one call with effects at a time, in order; an intent before the execution; one prompt at a time. */
export function checkCalls({ run }: SessionState, intended: ReadonlySet<string>): void {
  const calls = openCalls(run);
  calls.forEach((one, at) => {
    if (one.status === "executing") must(intended.has(one.call.id), "what executes has its intent in the log", one);
    must((one.status === "settled") === (one.result !== null), "settled calls have a result, and only they", one);
    if (!isActive(one)) return;
    const first = calls.findIndex((other) => other.status !== "settled");
    const reads = calls.slice(first, at + 1).every((other) => other.call.access === "read" || other.call.problem);
    must(first === at || reads, "a call begins when it is next, and only reads overlap", calls);
  });
  const asking = calls.filter((one) => one.status === "asking").length;
  must(asking <= 1, "one prompt at a time", calls);
  if (isRunOver(run) || !("run" in run) || run.run.stopping === "closing") return;
  must((run.phase === "awaiting_human") === (asking === 1), "awaiting_human means that a prompt is open", run);
  const waits = calls.some((one) => one.status === "waiting") && run.run.stopping === "no";
  must(!waits || asking === 1, "a call waits only behind an open prompt", calls);
}

export function checkStopping(before: SessionState, event: Event, { state, effects }: Step<SessionState>): void {
  if (!isStopping(state)) return;
  for (const effect of effects) {
    const closes = effect.type === "settle_call" && effect.status === "cancelled" && event.type === "run.stopped";
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
