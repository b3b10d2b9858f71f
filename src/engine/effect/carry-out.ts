import type { Effect } from "../../contract/effect.ts";
import { CoderError } from "../../contract/error.ts";
import type { Call } from "../../contract/message.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { callState } from "../../machine/state.ts";
import type { Jobs } from "../call/jobs.ts";
import type { Pipeline } from "../call/pipeline.ts";
import { checksFor } from "../check/checks.ts";
import type { CheckDeps } from "../check/standing.ts";
import type { Guard } from "../judge/guard.ts";
import type { Loop } from "../loop/loop.ts";
import { callModel } from "../model/model-call.ts";
import type { Overview } from "../session/overview.ts";
import type { SessionModel } from "../session/session-model.ts";
import { givenCalls } from "./instant.ts";

interface Hands extends CheckDeps {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly loop: Loop;
  readonly models: SessionModel;
  readonly pipeline: Pipeline;
  readonly guard: Guard;
  readonly jobs: Jobs;
  /** `null`: none is wanted. */
  readonly overview: Overview | null;
  readonly isInteractive: () => boolean;
}

/** Needed by few tasks. */
const plans = () => import("../plan/plan.ts");

/** Does what the machine has ordered and cannot be answered at once; the answer comes as an event. */
export async function carryOut(hands: Hands, effect: Effect, signal: AbortSignal): Promise<void> {
  const { loop, models, pipeline, jobs } = hands;
  switch (effect.type) {
    case "call_model": {
      const deps = models.callDeps(await models.port());
      // A sub-agent begins with the map that its caller has seen.
      if (loop.state.outer === null) await hands.overview?.give(deps, effect.index, signal);
      for (const body of await callModel(deps, effect, signal)) loop.push(body);
      return;
    }
    case "run_checks":
    case "finish_checks": {
      if (loop.state.mode === "plan")
        for (const body of (await plans()).planAtEnd(hands, loop.state, loop.history)) loop.push(body);
      loop.push(await checksFor(effect, hands, loop.state, loop.history));
      return;
    }
    case "settle_plan":
      for (const body of await (await plans()).settlePlan(hands, loop.state)) loop.push(body);
      return;
    case "read_plan":
      for (const body of await (await plans()).planInReply(hands, loop.state, loop.history)) loop.push(body);
      return;
    case "start_run": {
      const first = givenCalls(hands, effect.runId, loop.state);
      const calls = first.length > 0 ? first : (await plans()).todosAtStart(hands, loop.state, effect.runId);
      loop.push({ type: "run.started", runId: effect.runId, calls });
      return;
    }
    case "decide_recovery": {
      const { recoveryAfterCall } = await import("../recovery/recover-call.ts");
      loop.push(await recoveryAfterCall(hands, effect, loop.state, loop.history));
      return;
    }
    case "wait_retry": {
      const { runId, index, attempt } = effect;
      await models.patience.wait(effect.ms, signal);
      if (!signal.aborted) loop.push({ type: "retry.due", runId, index, attempt });
      return;
    }
    case "decide_call":
      return pipeline.decideLater(callOf(loop, effect.callId));
    case "intend_call":
      return pipeline.intend(callOf(loop, effect.callId), signal);
    case "execute_call":
      return pipeline.execute(callOf(loop, effect.callId), signal);
    case "reconcile_call": {
      const { run } = loop.state;
      const one = callState(run, effect.callId);
      if (one) await pipeline.reconcile(one, "run" in run && run.run.stopping !== "no", signal);
      return;
    }
    case "end_job":
      return jobs.endLost(effect.jobId);
    case "ask_human":
      return judgeAgain(hands, effect);
    // With a person or client both are open in the state, for them to answer.
    case "ask_clarification":
      if (!hands.isInteractive()) loop.push({ type: "clarification.unanswered", taskId: effect.taskId });
      return;
    case "ask_plan": {
      if (hands.isInteractive()) return;
      const words = say("en", phrase("run.plan_nobody"));
      loop.push({ type: "plan.answered", taskId: effect.taskId, answer: "no", words, plan: null });
      return;
    }
    default:
      throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: effect.type }) });
  }
}

/**
 * With a person or client the open question is in the state, for them to answer. Without one it is judged again: by the mode
 * of now, which may allow it, and else as a denial that names what would. So is what cannot be done any more, after a crash.
 */
async function judgeAgain(hands: Hands, effect: Extract<Effect, { type: "ask_human" }>): Promise<void> {
  const { loop, isInteractive, pipeline } = hands;
  const { runId, callId } = effect;
  const call = callOf(loop, callId);
  if (isInteractive() && !(await pipeline.isVain(call))) return;
  // Answered, or cancelled, while it was looked at.
  if (callState(loop.state.run, callId)?.status !== "asking") return;
  const isQuestion = call.tool === "question";
  const again = { answer: isQuestion ? "no" : "edit", words: "", call: isQuestion ? null : call } as const;
  loop.push({ type: "approval.answered", runId, callId, ...again, by: "nobody" });
}

function callOf({ state }: Loop, id: Call["id"]): Call {
  const call = callState(state.run, id)?.call;
  if (!call) throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: id }) });
  return call;
}
