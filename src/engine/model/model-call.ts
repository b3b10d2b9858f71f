import { type Built, buildMessages } from "../../context/build.ts";
import { type CompactLimits, compact } from "../../context/compact.ts";
import type { SummarySource } from "../../context/summary/summary.ts";
import { estimateTokens } from "../../context/tokens.ts";
import type { MessageDelta, ModelFault, ModelPort } from "../../contract/delta.ts";
import type { EffectOf } from "../../contract/effect.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { Compaction, EventBody } from "../../contract/event.ts";
import type { RunId } from "../../contract/ids.ts";
import { noUsage, type ToolSpec, type Usage } from "../../contract/message.ts";
import type { Price, Settings } from "../../contract/settings.ts";
import type { PartialText } from "../../contract/store.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { isFollowed } from "../../machine/carry.ts";
import type { History } from "../../machine/history/history.ts";
import { coreOf, runWith, type SessionState, viewOf } from "../../machine/state.ts";
import { retryDelay } from "../../model/fault/retry.ts";
import { accumulate, emptyReply, type PartialReply, snapshot } from "../../model/reply/accumulate.ts";
import type { Toolbox } from "../call/toolbox.ts";
import type { CheckDeps } from "../check/standing.ts";
import { type Fallback, isOutage } from "../question/model-fallback.ts";
import type { Calibration } from "./calibration.ts";
import { costOf, guessedUsage } from "./cost.ts";
import { cutReply, partialKeeper } from "./partial-reply.ts";
import type { Patience } from "./patience.ts";
import { type RawCall, toCalls } from "./reply.ts";

type Snapshot = ReturnType<typeof snapshot>;

export interface ModelCallDeps extends Toolbox {
  readonly settings: Settings;
  readonly model: ModelPort;
  readonly system: string;
  readonly window: number;
  readonly price: Price | null;
  readonly ref: string;
  readonly fallback: Fallback;
  readonly patience: Patience;
  readonly keepPartial: (partial: PartialText) => void;
  readonly tell: (text: Phrase) => void;
  readonly state: () => SessionState;
  /** The run that calls, and its history. */
  readonly runId: RunId;
  readonly isSub: boolean;
  readonly history: History;
  readonly calibration: Calibration;
  readonly checks: CheckDeps;
  readonly task: History;
  readonly onDelta: (delta: MessageDelta) => void;
  readonly onContext: (tokens: number) => void;
  readonly onCompacting: () => void;
  readonly imageBytes: (hash: string) => Uint8Array | null;
}

/** One model call: builds the request, streams it and answers with one event. A cut reply adds an event with its text. */
export async function callModel(
  deps: ModelCallDeps,
  effect: EffectOf<"call_model">,
  signal: AbortSignal,
): Promise<readonly EventBody[]> {
  const { runId, index, attempt } = effect;
  const partial = emptyReply(runId, index, attempt);
  const keeper = partialKeeper(partial, deps.keepPartial);
  const answer = await streamed(deps, effect, { ...keeper, partial }, signal).finally(keeper.end);
  if (answer?.type === "model.replied") return [answer];
  const cut = cutReply(partial, answer);
  return answer === null ? cut : [...cut, answer];
}

async function streamed(
  deps: ModelCallDeps,
  effect: EffectOf<"call_model">,
  { partial, grew }: { readonly partial: PartialReply; readonly grew: () => void },
  signal: AbortSignal,
): Promise<EventBody | null> {
  const { runId, index, attempt } = effect;
  const id = { runId, index, attempt };
  await deps.patience.whileBusy(signal);
  if (signal.aborted) return null;
  const state = deps.state();
  const { built, estimate } = tellContext(deps);
  if (estimate * deps.calibration.ratio > deps.settings.compactAt * deps.window && canCompact(deps, state)) {
    return overflowed(deps, id, deps.window * deps.settings.compactAt, signal);
  }
  const counted = deps.calibration.sent(estimate);
  const request = {
    sessionId: state.id,
    runId,
    modelCallIndex: index,
    attempt,
    system: deps.system,
    messages: built.messages,
    tools: deps.specs,
    imageBytes: deps.imageBytes,
  };
  for await (const delta of deps.model.stream(request, signal)) {
    accumulate(partial, delta);
    deps.onDelta(delta);
    if (delta.kind === "text") grew();
    if (delta.kind === "error" && delta.fault.kind === "overflow")
      return overflowed(deps, id, (estimate * deps.calibration.ratio) / 2, signal);
    if (delta.kind === "error") return failure(deps, id, delta.error, delta.fault, signal);
  }
  if (signal.aborted) return null;
  const reply = snapshot(partial);
  const nothing = whyNothing(reply);
  if (nothing !== null) return failure(deps, id, nothing.error, { kind: nothing.kind, retryAfterMs: null }, signal);
  const { text, thinking, parts } = reply;
  const usage = reply.usage ?? noUsage;
  deps.fallback.replied();
  if (!tellWindow(deps, estimate, usage)) counted(usage.input);
  const used = reply.usage ?? guessedUsage(estimate * deps.calibration.ratio, written(reply));
  const cost = deps.price ? { cost: costOf(used, deps.price) } : {};
  const calls = toCalls(await completed(reply.calls, deps), runId, index, deps.tools);
  const whole = { text, thinking, calls, usage, ...cost, finish: reply.finish ?? "other" };
  return { type: "model.replied", ...id, reply: parts ? { ...whole, parts, by: state.model } : whole };
}

/** `null`: the reply has text or calls. */
function whyNothing({ text, calls, finish }: Snapshot): { error: ErrorInfo; kind: ModelFault["kind"] } | null {
  if (text !== "" || calls.length > 0) return null;
  if (finish === "refused") {
    const advice = phrase("run.refused_reply.advice");
    return { error: { code: "E_MODEL", text: phrase("run.refused_reply"), advice }, kind: "bad_request" };
  }
  if (finish === "length") {
    // The limit was spent on thinking: the same request would end the same way.
    const advice = phrase("run.limit_reply.advice");
    return { error: { code: "E_MODEL", text: phrase("run.limit_reply"), advice }, kind: "bad_request" };
  }
  return { error: { code: "E_MODEL", text: phrase("run.empty_reply") }, kind: "protocol" };
}

function written({ text, thinking, calls }: Snapshot): string {
  return [text, thinking, ...calls.map(({ args }) => args)].join("");
}

/** Completes checks without a command with the project's own, and checks of some tests with a command for these. */
async function completed(calls: readonly RawCall[], deps: ModelCallDeps): Promise<readonly RawCall[]> {
  const isOpen = ({ tool, args }: RawCall): boolean =>
    deps.tools.get(tool)?.role === "checks" && (!args.includes('"command"') || /"(?:files|tests|filter)"/.test(args));
  if (!calls.some(isOpen)) return calls;
  const { filledCheck } = await import("../check/choose-checks.ts");
  const at = { state: deps.state(), history: deps.task };
  return Promise.all(
    calls.map(async (one) => (isOpen(one) ? { ...one, args: await filledCheck(one.args, at, deps.checks) } : one)),
  );
}

/** IN-7: reports how full the window is, before every call and after the last step. */
export function tellContext(deps: ModelCallDeps): { readonly built: Built; readonly estimate: number } {
  const built = buildMessages(deps.history, viewOf(deps.state(), deps.runId));
  const estimate = built.tokens + overhead(deps);
  deps.onContext(Math.round(estimate * deps.calibration.ratio));
  return { built, estimate };
}

export function requestTokens(deps: ModelCallDeps): number {
  return buildMessages(deps.history, viewOf(deps.state(), deps.runId)).tokens + overhead(deps);
}

function canCompact(deps: ModelCallDeps, state: SessionState): boolean {
  return deps.settings.autoCompact && compactNow(deps, state).stage !== "exhausted";
}

/** After this many attempts the model is not asked for notes again. */
const MAX_ASKED = 3;

/**
 * MD-5, foreseen or reported. Asks for notes if pruning is not enough; they are stored with the compaction, so a kill in between asks
 * again. `fits`: token limit of a request.
 */
async function overflowed(
  deps: ModelCallDeps,
  id: CallPlace,
  fits: number,
  signal: AbortSignal,
): Promise<EventBody | null> {
  const plain = { type: "context.overflowed", ...id } as const;
  const { settings, calibration, state } = deps;
  const stage = compactNow(deps, state()).stage;
  if (!settings.autoCompact || stage === "prune" || stage === "exhausted" || id.attempt > MAX_ASKED) return plain;
  const { askNotes } = await import("./ask-notes.ts");
  const room = Math.floor(fits / calibration.ratio);
  deps.onCompacting();
  const notes = await askNotes(deps, { ...id, focus: "", room }, signal);
  if (signal.aborted) return null;
  return notes ? { ...plain, notes } : plain;
}

/** Tools and system text are constant within a session, so they are counted once. */
const counted = new WeakMap<readonly ToolSpec[], Map<string, number>>();

function overhead({ specs, system }: ModelCallDeps): number {
  const known = counted.get(specs) ?? new Map<string, number>();
  counted.set(specs, known);
  const tokens = known.get(system) ?? estimateTokens(system) + estimateTokens(JSON.stringify(specs));
  known.set(system, tokens);
  return tokens;
}

export function compactNow(deps: ModelCallDeps, state: SessionState): Compaction {
  const { history, settings } = deps;
  const view = viewOf(state, deps.runId);
  const run = runWith(state, deps.runId);
  const written = run.phase === "model_running" ? (run.notes ?? "") : "";
  const done = compact(history, view, compactLimits(deps), {
    ...(deps.isSub ? withoutTask : summarySource(state)),
    written,
  });
  if (settings.autoCompact) return done;
  const { tokensBefore } = done;
  return { stage: "exhausted", ...view, tokensBefore, tokensAfter: tokensBefore };
}

export function compactLimits(deps: ModelCallDeps): CompactLimits {
  const target = Math.floor((deps.window * deps.settings.compactAt) / deps.calibration.ratio) - overhead(deps);
  return { target, keepRecent: deps.settings.keepRecent };
}

/** Todos and plan belong to the task; a sub-agent does not follow them. */
const withoutTask: SummarySource = { todos: [], plan: null, written: "", focus: "" };

export function summarySource(state: SessionState): SummarySource {
  const { plan } = state;
  // The steps of a followed plan are the todos: list them once.
  return { todos: isFollowed(state) ? [] : state.todos, plan, written: "", focus: "" };
}

type CallPlace = Pick<EffectOf<"call_model">, "runId" | "index" | "attempt">;

/** About ten seconds of retries. */
const beforeFallback = 5;

/** After a failed call: another attempt, another model if the user allows it, or the end of the run. */
async function failure(
  deps: ModelCallDeps,
  id: CallPlace,
  error: ErrorInfo,
  fault: ModelFault,
  signal: AbortSignal,
): Promise<EventBody | null> {
  if (fault.kind === "cancelled") return null;
  const allowed = coreOf(runWith(deps.state(), deps.runId))?.limits.maxAttempts ?? 1;
  const maxAttempts = deps.fallback.isThere ? Math.min(allowed, beforeFallback) : allowed;
  const limits = { maxAttempts, outageMs: deps.settings.modelOutageMs };
  const retryInMs = retryDelay(fault, deps.patience.failed(id, fault.kind), limits, Math.random());
  if (fault.kind === "busy" && retryInMs !== null) deps.patience.pause(retryInMs);
  const failed = { type: "model.failed", ...id, error, fault: fault.kind } as const;
  if (retryInMs !== null || !isOutage(fault.kind)) return { ...failed, retryInMs };
  const isTaken = await deps.fallback.take(deps.ref, error, signal);
  if (signal.aborted) return null;
  if (isTaken) deps.patience.renew();
  const advice = isTaken ? null : deps.fallback.advice();
  return { ...failed, retryInMs: isTaken ? 0 : null, ...(advice ? { error: { ...error, advice } } : {}) };
}

/** Reports what a local server says about its window. `true`: it truncated the request, so its count says nothing about our estimate. */
function tellWindow({ model, ref, tell }: ModelCallDeps, estimate: number, { input }: Usage): boolean {
  const { window, notice } = model;
  if (notice) tell(notice);
  if (window === undefined || input === 0 || input > window || estimate <= window * 1.1) return false;
  tell(phrase("local.truncated", { model: ref, read: input, sent: estimate }));
  return true;
}
