import type { PastTask } from "../../contract/undo.ts";

type UndoneTask = Pick<PastTask, "kind" | "undone" | "changes" | "unkept">;

/** What an undo takes back: the newest is the last. Of a redo: the undoings that were not brought back yet. */
export function chooseFrom<T extends UndoneTask>(tasks: readonly T[], redo: boolean): readonly T[] {
  const kind = redo ? "undo" : "task";
  return tasks.filter((task) => task.kind === kind && !task.undone && hasChanged(task));
}

/** What others did meanwhile is named, but no reason to stop at this task. */
function hasChanged({ changes, unkept }: UndoneTask): boolean {
  return changes.length > 0 || unkept.some(({ why }) => why !== "others");
}
