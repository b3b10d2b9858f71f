import type { EffectOf } from "../../contract/effect.ts";
import { callId } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import type { Check } from "../../contract/verification.ts";
import { coreOf, currentTask, type SessionState } from "../../machine/state.ts";
import { makeCall } from "../model/reply.ts";
import { answer, type EffectPorts, type EffectRow, pushing } from "./row.ts";

export const runRows = {
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
} satisfies { [T in "start_run" | "give_advice" | "stop_run" | "end_job" | "decide_recovery"]: EffectRow<EffectOf<T>> };

/** Calls that a run makes before, or without, its model. They pass through the same pipeline. */
function firstCalls({ tools }: Pick<EffectPorts, "tools">, runId: string, state: SessionState): readonly Call[] {
  const given = isByModel(state) ? shownFirst(state) : callOfTask(state);
  return given ? [makeCall(callId(runId, 0, 1), null, given.tool, given.input, tools)] : [];
}

type GivenCall = Pick<Call, "tool" | "input">;

/** A call whose result the model sees first; not repeated when it repairs its work. */
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
  return input.kind === "task" ? null : (input.call ?? { tool: "bash", input: { command: input.text } });
}

function inputOf({ command, cwd, shows }: Check) {
  return { command, path: cwd || ".", ...(shows ? { show: shows } : {}) };
}

function isByModel({ run }: SessionState): boolean {
  return coreOf(run)?.withModel === true;
}
