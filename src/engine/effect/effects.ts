import type { Effect } from "../../contract/effect.ts";
import { callId } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { Check } from "../../contract/verification.ts";
import { verdictOf } from "../../machine/checks.ts";
import { coreOf, currentTask, type SessionState } from "../../machine/state.ts";
import { checksAtOnce, chosenChecks, finished, judgeCheck } from "../check/checks.ts";
import { shellInput } from "../input/dispatch.ts";
import type { EffectAnswer } from "../loop/loop.ts";
import { compactionText } from "../model/compaction-text.ts";
import { callModel, compactNow } from "../model/model-call.ts";
import { makeCall } from "../model/reply.ts";
import { callRows } from "./call-rows.ts";
import { answer, type EffectPorts, type EffectRow, type Moment, pushing } from "./row.ts";
import { taskRows } from "./task-rows.ts";

/** Typed so that an effect without a row does not compile. */
export type EffectTable = { readonly [T in Effect["type"]]: EffectRow<Extract<Effect, { type: T }>> };

export const effects: EffectTable = {
  ...taskRows,
  ...callRows,
  start_run: {
    now: (ports, { runId }, { state }) =>
      currentTask(state)?.assessment?.complexity === "complex" && isByModel(state)
        ? null
        : answer({ type: "run.started", runId, calls: firstCalls(ports, runId, state) }),
    later: async (ports, { runId }) => {
      const { state } = ports.loop;
      const first = firstCalls(ports, runId, state);
      const { todosAtStart } = await import("../plan/plan.ts");
      return [{ type: "run.started", runId, calls: first.length > 0 ? first : todosAtStart(ports, state, runId) }];
    },
  },
  give_advice: { now: (_, { runId, text }) => answer({ type: "advice.given", runId, text }) },
  stop_run: { outlivesRun: true, later: ({ stopRun }, { runId }) => pushing(stopRun(runId)) },
  end_job: { later: ({ jobs }, { jobId }) => pushing(jobs.endLost(jobId)) },
  decide_recovery: {
    later: async (ports, effect) => {
      const { recoveryAfterCall } = await import("../recovery/recover-call.ts");
      return [await recoveryAfterCall(ports, effect, ports.loop)];
    },
  },
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
    later: async ({ models, overview, lookAhead }, effect, signal) => {
      lookAhead();
      const deps = models.callDeps(await models.port(), effect.runId);
      // A sub-agent starts with its parent's map.
      if (!deps.isSub) await overview?.give(deps, effect.index, signal);
      return callModel(deps, effect, signal);
    },
  },
  wait_retry: {
    later: async ({ models }, { runId, index, attempt, ms }, signal) => {
      await models.patience.wait(runId, ms, signal);
      return signal.aborted ? [] : [{ type: "retry.due", runId, index, attempt }];
    },
  },
  compact: {
    now: ({ models }, { runId, index }, { state }) => {
      const compaction = compactNow(models.callDeps(undefined, runId), state);
      const text = compactionText(compaction);
      const notices = text ? [{ type: "notice.given", text } as const] : [];
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

/** Calls that a run makes before, or without, its model. They pass through the same pipeline. */
function firstCalls({ tools }: Pick<EffectPorts, "tools">, runId: string, state: SessionState): readonly Call[] {
  const call = isByModel(state) ? shownFirst(state) : callOfTask(state);
  return call ? [makeCall(callId(runId, 0, 1), null, call.tool, call.input, tools)] : [];
}

type GivenCall = Pick<Call, "tool" | "input">;

/** A call whose result the model sees first; not repeated for repairs. */
function shownFirst({ task }: SessionState): GivenCall | null {
  const isFirst = task.phase === "EXECUTING" && task.task.rungs.length === 0;
  return (isFirst && task.task.input.call) || null;
}

function callOfTask({ task }: SessionState): GivenCall | null {
  if (task.phase === "IDLE") return null;
  if (task.phase === "RECOVERING") return { tool: "undo", input: {} };
  if (task.phase === "VERIFYING") {
    const check = task.todo[task.results.length];
    return check ? { tool: "diagnostics", input: inputOf(check) } : null;
  }
  const { input } = task.task;
  return input.kind === "task" ? null : (input.call ?? { tool: "bash", input: shellInput(input.text) });
}

function inputOf({ command, cwd, shows }: Check) {
  return { command, path: cwd || ".", ...(shows ? { show: shows } : {}) };
}

function isByModel({ run }: SessionState): boolean {
  return coreOf(run)?.withModel === true;
}
