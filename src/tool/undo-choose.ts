import type { PastTask } from "../contract/undo.ts";

type Chosen = Pick<PastTask, "kind" | "undone"> & Record<"changes" | "unkept", readonly unknown[]>;

/** What an undo takes back: the newest is the last. Of a redo: the undoings that were not brought back yet. */
export function chooseFrom<T extends Chosen>(tasks: readonly T[], redo: boolean): readonly T[] {
  const kind = redo ? "undo" : "task";
  return tasks.filter((task) => task.kind === kind && !task.undone && task.changes.length + task.unkept.length > 0);
}
