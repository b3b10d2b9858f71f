import type { PastTask } from "../../contract/undo.ts";

type UndoneTask = Pick<PastTask, "kind" | "undone" | "changes" | "unkept">;

/** What an undo reverts, newest last; for a redo, the undos not redone yet. */
export function chooseFrom<T extends UndoneTask>(tasks: readonly T[], redo: boolean): readonly T[] {
  const kind = redo ? "undo" : "task";
  return tasks.filter((task) => task.kind === kind && !task.undone && hasChanged(task));
}

/** For the state of the files before a task: everything since, the undos and redos in between too. */
export function chooseSince<T extends UndoneTask & Pick<PastTask, "taskId">>(
  tasks: readonly T[],
  since: string,
): readonly T[] {
  const from = tasks.findIndex(({ taskId }) => taskId === since);
  return from === -1 ? [] : tasks.slice(from).filter(hasChanged);
}

/** Changes by others are reported but do not make a task undoable. */
function hasChanged({ changes, unkept }: UndoneTask): boolean {
  return changes.length > 0 || unkept.some(({ why }) => why !== "others");
}
