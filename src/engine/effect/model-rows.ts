// Model calls, retries and compaction.
import type { EffectOf } from "../../contract/effect.ts";
import { compactionText } from "../model/compaction-text.ts";
import { callModel, compactNow } from "../model/model-call.ts";
import { answer, type EffectRow } from "./row.ts";

export const modelRows = {
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
} satisfies { [T in "call_model" | "wait_retry" | "compact"]: EffectRow<EffectOf<T>> };
