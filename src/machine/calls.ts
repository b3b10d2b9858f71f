import type { Effect } from "../contract/effect.ts";
import type { EventOf } from "../contract/event.ts";
import type { Call, CallResult } from "../contract/message.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { type Breakers, MAX_SAME_PAIR, repeats } from "./breakers.ts";
import type { CallState, RunCore } from "./state.ts";
import { type Step, stale, to, unexpected } from "./step.ts";

type Calls = readonly CallState[];

export function queued(call: Call): CallState {
  return { call, status: "queued", reasons: [], intent: null, spawned: null, result: null };
}

/** Reads and commands that overlap, counted when a command is about to join them. */
const MOST_TOGETHER = 8;

/** TP-1/TP-2: calls are judged in order, each when it is due. */
export function startNext(
  { id, limits, breakers }: Pick<RunCore, "id" | "limits" | "breakers">,
  calls: Calls,
): Step<Calls> {
  const effects: Effect[] = [];
  const due = dueNow(calls, limits);
  const next = calls.map((one): CallState => {
    if (one.status !== "queued" || !due.includes(one)) return one;
    const ahead = one !== due[0] && one.call.role === "runs";
    effects.push(begin(id, one.call, breakers, ahead));
    return { ...one, status: "deciding", ...(ahead ? { ahead: "judging" } : {}) };
  });
  return to(next, ...effects);
}

/** The first open call, and those behind it that need not wait for it. */
function dueNow(calls: Calls, limits: RunCore["limits"]): Calls {
  const due: CallState[] = [];
  for (const one of calls) {
    if (one.status === "settled") continue;
    if (!mayJoin(one, due, limits)) break;
    due.push(one);
  }
  return due;
}

/** Reads join reads, a command that may be proved to read joins them too, and sub-agents join sub-agents. */
function mayJoin({ call, ahead }: CallState, due: Calls, { maxParallel = 1 }: RunCore["limits"]): boolean {
  const last = due.at(-1);
  if (last === undefined) return true;
  if (last.call.overlaps) return call.overlaps === true && due.length < maxParallel;
  if (!onlyReads(last)) return false;
  return call.access === "read" || (call.role === "runs" && ahead !== "unproved" && due.length < MOST_TOGETHER);
}

/** A command proves it with the decision on it. */
function onlyReads({ call, status, form }: CallState): boolean {
  if (call.access === "read") return true;
  return call.role === "runs" && form?.readOnly === true && (status === "intending" || status === "executing");
}

export function begin(runId: string, call: Call, breakers: Breakers, ahead = false): Effect {
  if (call.problem) return { type: "settle_call", runId, callId: call.id, status: "failed", error: call.problem };
  const n = repeats(breakers, call.key);
  if (n >= MAX_SAME_PAIR) {
    const error = { code: "E_STUTTERING", text: phrase("run.stuttering", { n }) } as const;
    return { type: "settle_call", runId, callId: call.id, status: "refused", error };
  }
  return { type: "decide_call", runId, callId: call.id, ...(ahead ? { ahead } : {}) };
}

/** A call of a rejected plan is never judged, not even after a crash. */
export function refusal(runId: string, { call, status, reasons }: CallState): Effect[] {
  if (status !== "denied" && status !== "refused") return [];
  const error = { code: "E_POLICY_DENIED", text: reasons[0] ?? phrase("run.plan_refused") } as const;
  return [{ type: "settle_call", runId, callId: call.id, status, error }];
}

type CallEvent = EventOf<
  "tool.decided" | "tool.deferred" | "approval.answered" | "tool.intended" | "process.spawned" | "tool.settled"
>;

/** One call's way through the pipeline. While the run stops, results and pids still count, but nothing new is ordered. */
export function onCall(run: RunCore, calls: Calls, event: CallEvent, isAskingElsewhere: boolean): Step<Calls> {
  const runId = run.id;
  const stopping = run.stopping !== "no";
  const one = calls.find((candidate) => candidate.call.id === event.callId);
  if (!one) return unexpected(calls, "a step without that call", `${event.type} ${event.callId}`);
  if (one.status === "settled") return stale(calls);
  const put = (changed: Partial<CallState>, ...effects: Effect[]) =>
    to(
      calls.map((other) => (other === one ? { ...one, ...changed } : other)),
      ...effects,
    );
  const nextAsk = (step: Step<Calls>) => (stopping || isAskingElsewhere ? step : withNextAsk(step, runId));
  const id = { runId, callId: event.callId };
  if (event.type === "tool.settled") return nextAsk(put({ status: "settled", result: brief(event.result) }));
  if (event.type === "process.spawned") {
    if (one.status !== "executing") return unexpected(calls, one.status, event.type);
    return put({ spawned: { pid: event.pid, startTime: event.startTime } });
  }
  if (stopping) return stale(calls);
  switch (event.type) {
    case "tool.decided":
      if (one.status !== "deciding") return unexpected(calls, one.status, event.type);
      if (event.decision === "allow")
        return put({ status: "intending", ...judged(event) }, { type: "intend_call", ...id });
      if (event.decision === "ask")
        return nextAsk(put({ status: "waiting", reasons: event.reasons, ...judged(event) }));
      return put({ reasons: event.reasons }, denied(id, event.reasons));
    case "tool.deferred":
      if (one.status !== "deciding" || one.ahead !== "judging") return unexpected(calls, one.status, event.type);
      return put({ status: "queued", ahead: "unproved" });
    case "approval.answered":
      if (one.status !== "asking") return unexpected(calls, one.status, event.type);
      return nextAsk(answered(put, one, event, run.breakers));
    case "tool.intended":
      if (one.status !== "intending") return unexpected(calls, one.status, event.type);
      return put({ status: "executing", intent: event.intent }, { type: "execute_call", ...id });
  }
}

function judged({ outside, run }: EventOf<"tool.decided">): Pick<CallState, "outside" | "form"> {
  return { ...(outside ? { outside } : {}), ...(run ? { form: run } : {}) };
}

type Put = (changed: Partial<CallState>, ...effects: Effect[]) => Step<Calls>;

function answered(put: Put, one: CallState, event: EventOf<"approval.answered">, breakers: Breakers): Step<Calls> {
  const id = { runId: event.runId, callId: event.callId };
  if (event.answer === "yes" || event.answer === "always") {
    const words = event.words === "" ? {} : { words: event.words };
    const shown = event.shown === undefined ? {} : { shown: event.shown };
    return put({ status: "intending", ...words, ...shown }, { type: "intend_call", ...id });
  }
  if (event.answer === "edit" && event.call)
    return put(
      { status: "deciding", call: event.call, reasons: [], outside: [] },
      begin(event.runId, event.call, breakers),
    );
  const words = event.words
    ? phrase("approval.refused_with_words", { words: event.words })
    : phrase("approval.refused");
  return put({ status: "deciding", reasons: one.reasons }, denied(id, [words]));
}

/** With several reasons, the last one is the advice. */
function denied(id: { runId: string; callId: Call["id"] }, reasons: readonly Phrase[]): Effect {
  const advice = reasons.length > 1 ? reasons.at(-1) : undefined;
  const why = reasons.slice(0, Math.max(1, reasons.length - 1));
  const text = (why.length > 1 ? phrase("approval.denied", { reasons: why }) : why[0]) ?? phrase("approval.refused");
  return {
    type: "settle_call",
    ...id,
    status: "denied",
    error: advice ? { code: "E_POLICY_DENIED", text, advice } : { code: "E_POLICY_DENIED", text },
  };
}

/** One prompt at a time: a waiting call asks only when no other prompt is open. */
export function withNextAsk(step: Step<Calls>, runId: string): Step<Calls> {
  if (step.state.some((one) => one.status === "asking")) return step;
  const next = step.state.find((one) => one.status === "waiting");
  if (!next) return step;
  const state = step.state.map((one): CallState => (one === next ? { ...one, status: "asking" } : one));
  return { ...step, state, effects: [...step.effects, { type: "ask_human", runId, callId: next.call.id }] };
}

/** Effects that settle what a cancel left open. Only a call that was executing can have had side effects. */
export function closing(runId: string, calls: Calls): Effect[] {
  return calls
    .filter((one) => one.status !== "settled")
    .map((one) => {
      const begun = one.status === "executing";
      const text = phrase(begun ? "run.cancelled_call" : "run.never_started");
      const error = { code: "E_CANCELLED", text, sideEffect: begun ? "unknown" : "none" } as const;
      return { type: "settle_call", runId, callId: one.call.id, status: "cancelled", error };
    });
}

function brief(result: CallResult): NonNullable<CallState["result"]> {
  const changed =
    (result.changes?.length ?? 0) > 0 ||
    result.todos !== undefined ||
    result.plan !== undefined ||
    result.isProgress === true;
  return { status: result.status, key: result.key, progress: changed };
}
