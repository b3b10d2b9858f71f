import type { Effect, EffectOf } from "../../contract/effect.ts";
import { CoderError } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import { runOfCall } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { callIn, callState, coreOf, runWith } from "../../machine/state.ts";
import type { EffectAnswer, Loop } from "../loop/loop.ts";
import { answer, type EffectPorts, type EffectRow, type Moment, pushing } from "./row.ts";

type CallEffect = "decide_call" | "ask_human" | "intend_call" | "execute_call" | "reconcile_call" | "settle_call";

export const callRows = {
  decide_call: {
    now: withCall(({ pipeline }, call, { state }, effect) => {
      const decided = pipeline.decide(call, state);
      return decided && answer(inTurn(decided, effect));
    }),
    later: async ({ pipeline, loop }, effect) => {
      const decided = await pipeline.decideLater(callOf(loop, effect.callId));
      return decided ? [inTurn(decided, effect)] : [];
    },
  },
  ask_human: { later: judgeAgain },
  intend_call: {
    now: withCall(({ pipeline }, call, { state }) => pipeline.intendAtOnce(call, state)),
    later: ({ pipeline, loop }, { callId }, signal) => pushing(pipeline.intend(callOf(loop, callId), signal)),
  },
  execute_call: {
    now: withCall(({ pipeline }, call, { state }) => pipeline.executeAtOnce(call, state)),
    later: ({ pipeline, loop }, { callId }, signal) => pushing(pipeline.execute(callOf(loop, callId), signal)),
  },
  reconcile_call: {
    later: async ({ pipeline, loop }, { callId }, signal) => {
      const one = callIn(loop.state, callId);
      const core = coreOf(runWith(loop.state, runOfCall(callId)));
      if (one) await pipeline.reconcile(one, core?.stopping !== "no", signal);
      return [];
    },
  },
  settle_call: {
    now: (ports, effect: EffectOf<"settle_call">, { state }: Moment) => {
      const call = callIn(state, effect.callId)?.call;
      if (!call) return noSuchCall(ports, effect);
      return answer(ports.pipeline.settleNow(call, effect.status, effect.error));
    },
  },
  settle_sub: {
    now: ({ pipeline }, { callId }, { state, history }) => {
      const call = callState(state.run, callId)?.call;
      const sub = state.subs.find((one) => one.callId === callId);
      return call && sub ? answer(pipeline.settleSub(call, sub, history)) : answer();
    },
  },
} satisfies { [T in CallEffect | "settle_sub"]: EffectRow<EffectOf<T>> };

type AtOnce<E> = (ports: EffectPorts, call: Call, at: Moment, effect: E) => EffectAnswer | null;

function withCall<E extends EffectOf<CallEffect>>(atOnce: AtOnce<E>) {
  return (ports: EffectPorts, effect: E, at: Moment): EffectAnswer | null => {
    const call = callIn(at.state, effect.callId)?.call;
    return call ? atOnce(ports, call, at, effect) : noSuchCall(ports, effect);
  };
}

/** TP-2: ahead of its turn counts only the proof that the call reads. Everything else is decided on what the calls before it leave. */
function inTurn(decided: EventBody, { ahead, runId, callId }: EffectOf<"decide_call">): EventBody {
  const isProved = decided.type === "tool.decided" && decided.decision === "allow" && decided.run?.readOnly === true;
  return ahead && !isProved ? { type: "tool.deferred", runId, callId } : decided;
}

function noSuchCall({ traceId }: EffectPorts, effect: Extract<Effect, { callId: unknown }>): EffectAnswer {
  const what = `${effect.type} ${effect.callId}: no such call`;
  return answer({ type: "internal.reported", traceId: traceId(), what });
}

/**
 * With a user or client, the question waits in the state. Without one, or if it became impossible, the call is judged again: the current
 * mode may allow it, else it is denied with a hint on how to allow it.
 */
async function judgeAgain({ loop, isInteractive, pipeline }: EffectPorts, { runId, callId }: EffectOf<"ask_human">) {
  const call = callOf(loop, callId);
  if (isInteractive() && !(await pipeline.isObsolete(call))) return [];
  // It may have been answered or cancelled meanwhile.
  if (callIn(loop.state, callId)?.status !== "asking") return [];
  const isQuestion = call.role === "asks";
  const again = { answer: isQuestion ? "no" : "edit", words: "", call: isQuestion ? null : call } as const;
  return [{ type: "approval.answered", runId, callId, ...again, by: "nobody" } as const];
}

function callOf({ state }: Loop, id: Call["id"]): Call {
  const call = callIn(state, id)?.call;
  if (!call) throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: id }) });
  return call;
}
