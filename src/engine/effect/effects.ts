import type { Effect } from "../../contract/effect.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { verdictOf } from "../../machine/checks.ts";
import { currentTask } from "../../machine/state.ts";
import { checksAtOnce, chosenChecks, finished, judgeCheck } from "../check/checks.ts";
import type { EffectAnswer } from "../loop/loop.ts";
import { compactionText } from "../model/compaction-text.ts";
import { callModel, compactNow } from "../model/model-call.ts";
import { callRows } from "./call-rows.ts";
import { answer, type EffectPorts, type EffectRow, type Moment } from "./row.ts";
import { runRows } from "./run-rows.ts";
import { taskRows } from "./task-rows.ts";

/** Typed so that an effect without a row does not compile. */
export type EffectTable = { readonly [T in Effect["type"]]: EffectRow<Extract<Effect, { type: T }>> };

export const effects: EffectTable = {
  ...taskRows,
  ...runRows,
  ...callRows,
  settle_plan: { later: async (ports) => (await import("../plan/plan.ts")).settlePlan(ports, ports.loop.state) },
  read_plan: {
    later: async (ports) => (await import("../plan/plan.ts")).planInReply(ports, ports.loop),
  },
  ask_plan: {
    // The open plan waits in the state for the user's answer.
    now: ({ isInteractive }, { taskId }) => {
      if (isInteractive()) return answer();
      const words = say("en", phrase("run.plan_nobody"));
      return answer({ type: "plan.answered", taskId, answer: "no", words, plan: null });
    },
  },
  call_model: {
    later: async ({ loop, models, overview, lookAhead }, effect, signal) => {
      lookAhead();
      const deps = models.callDeps(await models.port());
      // A sub-agent starts with its parent's map.
      if (loop.state.outer === null) await overview?.give(deps, effect.index, signal);
      return callModel(deps, effect, signal);
    },
  },
  wait_retry: {
    later: async ({ models }, { runId, index, attempt, ms }, signal) => {
      await models.patience.wait(ms, signal);
      return signal.aborted ? [] : [{ type: "retry.due", runId, index, attempt }];
    },
  },
  compact: {
    now: ({ models }, { runId, index }, { state }) => {
      const compaction = compactNow(models.callDeps(), state);
      const told = compactionText(compaction);
      const notices = told ? [{ type: "notice.given", text: told } as const] : [];
      return answer({ type: "context.compacted", runId, index, compaction }, ...notices);
    },
  },
  run_checks: {
    now: (_, { taskId }, at) => {
      if (currentTask(at.state)?.input.schema !== undefined || at.state.mode === "plan") return null;
      const result = checksAtOnce(at);
      return result && answer({ type: "checks.finished", taskId, result });
    },
    later: async (ports, { taskId }) => {
      const { state, history } = ports.loop;
      const at = { state, history };
      const plans = state.mode === "plan" ? (await import("../plan/plan.ts")).planAtEnd(ports, at) : [];
      for (const body of plans) ports.loop.push(body);
      return [await chosenChecks(taskId, ports, at)];
    },
  },
  judge_check: {
    now: ({ settings, mayShow }, _, at) => {
      const judged = judgeCheck(at, settings.lang, mayShow);
      return judged ? answer(judged) : answer();
    },
  },
  check_answer: {
    later: async ({ loop }, { taskId }) => {
      const { task } = loop.state;
      return task.phase === "VERIFYING" ? [await finished(taskId, loop, verdictOf(task))] : [];
    },
  },
};

function rowOf(effect: Effect): EffectRow<Effect> {
  // TypeScript cannot correlate the key with the row of this effect.
  return effects[effect.type] as EffectRow<Effect>;
}

/** `null`: `carryOut` has to do it. */
export function answerNow(ports: EffectPorts, effect: Effect, at: Moment): EffectAnswer | null {
  return rowOf(effect).now?.(ports, effect, at) ?? null;
}

/** Whether cancelling the run does not wait for this effect. */
export function outlivesRun(effect: Effect): boolean {
  const row = rowOf(effect);
  return "outlivesRun" in row && row.outlivesRun === true;
}

export async function carryOut(ports: EffectPorts, effect: Effect, signal: AbortSignal): Promise<void> {
  const bodies = (await rowOf(effect).later?.(ports, effect, signal)) ?? [];
  for (const body of bodies) ports.loop.push(body);
}
