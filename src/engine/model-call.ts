import { type Built, buildMessages } from "../context/build.ts";
import { compact } from "../context/compact.ts";
import type { History } from "../context/history.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { MessageDelta, ModelFault, ModelPort } from "../contract/delta.ts";
import type { EffectOf } from "../contract/effect.ts";
import type { ErrorInfo } from "../contract/error.ts";
import type { EventBody } from "../contract/event.ts";
import type { ToolSpec, Usage } from "../contract/message.ts";
import type { Price, Settings } from "../contract/settings.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { SessionState } from "../machine/state.ts";
import { accumulate, emptyReply, snapshot } from "../model/accumulate.ts";
import { retryDelay } from "../model/retry.ts";
import { costOf } from "./cost.ts";
import { type RawCall, toCalls } from "./reply.ts";

type Snapshot = ReturnType<typeof snapshot>;

export interface ModelCallDeps {
  readonly settings: Settings;
  readonly model: ModelPort;
  readonly system: string;
  readonly specs: readonly ToolSpec[];
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly window: number;
  /** `null`: not known. */
  readonly price: Price | null;
  readonly compactAt: number;
  readonly keepRecent: number;
  readonly state: () => SessionState;
  readonly history: History;
  readonly onDelta: (delta: MessageDelta) => void;
  readonly onContext: (tokens: number) => void;
  readonly imageBytes: (hash: string) => Uint8Array | null;
}

/** One model call: build the request, stream it, answer with exactly one event (none when it was cancelled). */
export async function callModel(
  deps: ModelCallDeps,
  effect: EffectOf<"call_model">,
  signal: AbortSignal,
): Promise<EventBody | null> {
  const { runId, index, attempt } = effect;
  const id = { runId, index, attempt };
  const state = deps.state();
  const { built, estimate } = tellContext(deps);
  if (
    estimate * deps.history.calibration > deps.compactAt * deps.window &&
    compactNow(deps, state).stage !== "exhausted"
  ) {
    return { type: "context.overflowed", ...id };
  }
  deps.history.noteEstimate(estimate);
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
  const partial = emptyReply(runId, index, attempt);
  for await (const delta of deps.model.stream(request, signal)) {
    accumulate(partial, delta);
    deps.onDelta(delta);
    if (delta.kind === "error") return failure(deps, id, delta.error, delta.fault);
  }
  if (signal.aborted) return null;
  const reply = snapshot(partial);
  if (reply.text === "" && reply.calls.length === 0 && reply.finish === "refused") {
    const error: ErrorInfo = {
      code: "E_MODEL",
      text: phrase("run.refused_reply"),
      advice: phrase("run.refused_reply.advice"),
    };
    return failure(deps, id, error, { kind: "bad_request", retryAfterMs: null });
  }
  if (reply.text === "" && reply.calls.length === 0 && reply.finish === "length") {
    // Spent on thinking: the same request would end the same way.
    const error: ErrorInfo = {
      code: "E_MODEL",
      text: phrase("run.limit_reply"),
      advice: phrase("run.limit_reply.advice"),
    };
    return failure(deps, id, error, { kind: "bad_request", retryAfterMs: null });
  }
  if (reply.text === "" && reply.calls.length === 0) {
    return failure(
      deps,
      id,
      { code: "E_MODEL", text: phrase("run.empty_reply") },
      { kind: "protocol", retryAfterMs: null },
    );
  }
  const { text, thinking, parts } = reply;
  const usage = reply.usage ?? noUsage;
  const cost = deps.price ? { cost: costOf(reply.usage ?? guessed(reply, estimate, deps.history), deps.price) } : {};
  const calls = toCalls(await completed(reply.calls, deps), runId, index, deps.tools);
  const whole = { text, thinking, calls, usage, ...cost, finish: reply.finish ?? "other" };
  return { type: "model.replied", ...id, reply: parts ? { ...whole, parts, by: state.model } : whole };
}

const noUsage: Usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };

/** Where a provider counts nothing, a budget of money still has to end. */
function guessed({ text, thinking, calls }: Snapshot, estimate: number, { calibration }: History): Usage {
  const written = [text, thinking, ...calls.map(({ args }) => args)].join("");
  return { ...noUsage, input: Math.round(estimate * calibration), output: estimateTokens(written) };
}

/** A check for which the model names no command is the one that the project has. */
async function completed(calls: readonly RawCall[], deps: ModelCallDeps): Promise<readonly RawCall[]> {
  const isOpen = ({ tool, args }: RawCall): boolean => tool === "diagnostics" && !args.includes('"command"');
  if (!calls.some(isOpen)) return calls;
  const { chosenCall } = await import("./verify.ts");
  return calls.map((one) => (isOpen(one) ? { ...one, args: chosenCall(one.args, deps.settings, deps.history) } : one));
}

/** IN-7: how full the window is, before every call and after the last step. */
export function tellContext(deps: ModelCallDeps): { readonly built: Built; readonly estimate: number } {
  const built = buildMessages(deps.history, deps.state().view);
  const estimate = built.tokens + overhead(deps);
  deps.onContext(Math.round(estimate * deps.history.calibration));
  return { built, estimate };
}

function failure(
  deps: ModelCallDeps,
  id: { runId: string; index: number; attempt: number },
  error: ErrorInfo,
  fault: ModelFault,
): EventBody | null {
  if (fault.kind === "cancelled") return null;
  if (fault.kind === "overflow") return { type: "context.overflowed", ...id };
  const { run } = deps.state();
  const failures = run.phase === "model_running" ? run.failures : 0;
  const maxAttempts = "run" in run ? run.run.limits.maxAttempts : 1;
  const retryInMs = retryDelay(fault, failures + 1, maxAttempts, Math.random());
  return { type: "model.failed", ...id, error, fault: fault.kind, retryInMs };
}

/** System text and tool list do not change within a session: counted once. */
const counted = new WeakMap<readonly ToolSpec[], number>();

function overhead(deps: ModelCallDeps): number {
  const known = counted.get(deps.specs);
  if (known !== undefined) return known;
  const tokens = estimateTokens(deps.system) + estimateTokens(JSON.stringify(deps.specs));
  counted.set(deps.specs, tokens);
  return tokens;
}

/** MD-5, the same for a foreseen and a reported overflow. */
export function compactNow(deps: ModelCallDeps, state: SessionState): ReturnType<typeof compact> {
  const target = Math.floor((deps.window * deps.compactAt) / deps.history.calibration) - overhead(deps);
  return compact(deps.history, state.view, { target, keepRecent: deps.keepRecent });
}
