// The checks of a task: choosing, judging, and the form of the answer.
import type { EffectOf } from "../../contract/effect.ts";
import { verdictOf } from "../../machine/checks.ts";
import type { SessionState } from "../../machine/state.ts";
import { checksAtOnce, chosenChecks, finished, judgeCheck } from "../check/checks.ts";
import { answer, type EffectRow } from "./row.ts";

export const checkRows = {
  run_checks: {
    now: (_, { taskId }, { state, history }) => {
      if (schemaOf(state) !== undefined || state.mode === "plan") return null;
      const result = checksAtOnce(state, history);
      return result && answer({ type: "checks.finished", taskId, result });
    },
    later: async (ports, { taskId }) => {
      const { state, history } = ports.loop;
      const plans = state.mode === "plan" ? (await import("../plan/plan.ts")).planAtEnd(ports, state, history) : [];
      for (const body of plans) ports.loop.push(body);
      return [await chosenChecks(taskId, ports, state, history)];
    },
  },
  judge_check: {
    now: ({ settings, mayShow }, _, { state, history }) => {
      const judged = judgeCheck(state, history, settings.lang, mayShow);
      return judged ? answer(judged) : answer();
    },
  },
  check_answer: {
    later: async ({ loop }, { taskId }) => {
      const { state, history } = loop;
      return state.task.phase === "VERIFYING" ? [await finished(taskId, state, history, verdictOf(state.task))] : [];
    },
  },
} satisfies { [T in "run_checks" | "judge_check" | "check_answer"]: EffectRow<EffectOf<T>> };

function schemaOf({ task }: SessionState): unknown {
  return task.phase === "IDLE" ? undefined : task.task.input.schema;
}
