import type { TaskCore, TaskEnd, TaskState } from "./state.ts";
import { type Step, to } from "./step.ts";

export function toSummary(task: TaskCore, end: TaskEnd): Step<TaskState> {
  return to(
    { phase: "SUMMARIZING", task, end, cancelled: null, stopping: false },
    { type: "summarize_task", taskId: task.id },
  );
}
