import type { PastPort, PastTask } from "../../contract/undo.ts";
import type { History } from "../../machine/history/history.ts";
import { soundIn, type TaskRecord } from "../../machine/history/task-record.ts";
import { isBetter } from "../../machine/recovery.ts";
import type { SessionState } from "../../machine/state.ts";

/** All ended tasks; within a task, the changes since its checks last passed, or all of them if repairs improved nothing. */
export function pastOf(
  history: History,
  state: () => SessionState,
  bytes: (hash: string) => Uint8Array | null,
  never: readonly string[],
): PastPort {
  return {
    tasks: () => {
      const { task } = state();
      const own = history.task;
      if (task.phase === "RECOVERING" && own) {
        const { rounds } = task.task;
        const from = rounds.length > 1 && !isBetter(rounds) ? 0 : soundIn(own);
        return [{ ...pastTask(own), changes: own.changes.slice(from) }];
      }
      return endedTasks(history, state()).map(pastTask);
    },
    bytes,
    never,
  };
}

export function endedTasks(history: History, { task }: SessionState): readonly TaskRecord[] {
  return history.tasks.filter((one) => one !== history.task || task.phase === "IDLE");
}

function pastTask({ summary, ...task }: TaskRecord): PastTask {
  const { taskId, title, asked, kind, changes, unkept, undone, undoes } = task;
  const results = summary?.outcome === "VERIFIED" ? (summary.verification.results ?? []) : [];
  const verified = results.filter(({ ok }) => ok).map(({ command, counts }) => ({ command, passed: counts.passed }));
  const answer = summary?.why ? { told: summary.why } : {};
  const past = { taskId, title, asked, kind, changes, unkept, undone, ...(undoes.length > 0 ? { undoes } : {}) };
  return { ...past, ...answer, ...(verified.length > 0 ? { verified } : {}) };
}
