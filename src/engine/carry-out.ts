import type { Effect } from "../contract/effect.ts";
import { CoderError } from "../contract/error.ts";
import type { Call } from "../contract/message.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { callState } from "../machine/state.ts";
import { checksWithAnswer } from "./checks.ts";
import type { Jobs } from "./jobs.ts";
import type { Loop } from "./loop.ts";
import { callModel } from "./model-call.ts";
import type { Pipeline } from "./pipeline.ts";
import type { SessionModel } from "./session-model.ts";
import { sleep } from "./sleep.ts";

interface Hands {
  readonly loop: Loop;
  readonly models: SessionModel;
  readonly pipeline: Pipeline;
  readonly jobs: Jobs;
  readonly isInteractive: () => boolean;
}

/** Does what the machine has ordered and cannot be answered at once; the answer comes as an event. */
export async function carryOut(hands: Hands, effect: Effect, signal: AbortSignal): Promise<void> {
  const { loop, models, pipeline, jobs } = hands;
  switch (effect.type) {
    case "call_model": {
      const answer = await callModel(models.callDeps(await models.port()), effect, signal);
      if (answer) loop.push(answer);
      return;
    }
    case "run_checks":
      loop.push(await checksWithAnswer(effect, loop.state, loop.history));
      return;
    case "wait_retry": {
      const { runId, index, attempt } = effect;
      await sleep(effect.ms, signal);
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
    default:
      throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: effect.type }) });
  }
}

/**
 * With a person or client the open question is in the state, for them to answer. Without one it is judged again: by the mode
 * of now, which may allow it, and else as a denial that names what would.
 */
function judgeAgain({ loop, isInteractive }: Hands, effect: Extract<Effect, { type: "ask_human" }>): void {
  if (isInteractive()) return;
  const { runId, callId } = effect;
  const again = { answer: "edit", words: "", call: callOf(loop, callId), by: "nobody" } as const;
  loop.push({ type: "approval.answered", runId, callId, ...again });
}

function callOf({ state }: Loop, id: Call["id"]): Call {
  const call = callState(state.run, id)?.call;
  if (!call) throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: id }) });
  return call;
}
