import { commitNotice, isCommitByMode } from "../../command/text/commit-notice.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { CancelSource } from "../../contract/event.ts";
import { jobState } from "../../contract/job.ts";
import type { CallResult } from "../../contract/message.ts";
import type { TaskSummary } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { EnginePort, Published } from "../../engine/port.ts";
import { resultOf, type TaskResult } from "./result.ts";

export interface Finished {
  readonly result: TaskResult;
  readonly structured: ReturnType<EnginePort["structured"]>;
  readonly error: ErrorInfo | null;
  readonly note: Phrase | null;
  readonly cancelled: CancelSource | null;
  readonly isShell: boolean;
}

export interface WatchHandlers {
  readonly onFinished: (finished: Finished) => void;
  readonly onNotice: (text: Phrase) => void;
  readonly onFatal: (error: ErrorInfo) => void;
}

export function watch(port: EnginePort, handlers: WatchHandlers): () => void {
  let ending: Omit<Finished, "result" | "structured" | "isShell"> = { error: null, note: null, cancelled: null };
  let settled: CallResult | null = null;
  let denial: ErrorInfo | null = null;
  let kind = "task";
  let isByMode = false;
  let summary: TaskSummary | null = null;
  let started = performance.now();
  let returned: string[] = [];
  const queued = new Map<string, string>();
  const finish = (taskId: string, summary: TaskSummary, published: Extract<Published, { kind: "event" }>) => {
    // RB-4: nobody asked for this commit, so it is a notice, and the exit code does not depend on it.
    if (isByMode) return handlers.onNotice(commitNotice(settled));
    // A denial is not an error of the task: the denied call's result holds the reason and what would allow it.
    const called = kind === "tool" ? (settled?.error ?? null) : null;
    const error = ending.error ?? (summary.stop_reason === "DENIED" ? denial : called);
    const more = { error, returned, ms: performance.now() - started, command: kind === "task" ? null : settled };
    const result = resultOf(port, published.state, { taskId, summary }, more);
    handlers.onFinished({ ...ending, error, result, structured: port.structured(taskId), isShell: kind === "shell" });
  };
  return port.subscribe((published) => {
    if (published.kind === "fatal") return handlers.onFatal(published.error);
    if (published.kind !== "event" || !published.recorded.accepted) return;
    const { event } = published.recorded;
    const { task } = published.state;
    if (event.type === "input.admitted") queued.set(event.inputId, event.text);
    if (event.type === "input.returned") returned.push(...event.inputIds.map((id) => queued.get(id) ?? ""));
    if (event.type === "input.returned" || event.type === "input.delivered") {
      for (const id of event.inputIds) queued.delete(id);
    }
    if (event.type === "notice.given") handlers.onNotice(event.text);
    if (event.type === "run.stopped" && event.unstopped.length > 0) {
      handlers.onNotice(phrase("cancel.left", { processes: event.unstopped.join(", ") }));
    }
    if (event.type === "job.started" || event.type === "job.ended") {
      const job = published.state.jobs.find(({ id }) => id === event.jobId);
      if (job) handlers.onNotice(jobState(job));
    }
    if (event.type === "task.started") queued.delete(event.inputId);
    if (event.type === "task.started" || event.type === "task.continued") {
      started = performance.now();
      returned = [];
      settled = null;
      denial = null;
    }
    // Also for a task that began before a kill.
    if (task.phase !== "IDLE") {
      kind = task.task.input.kind;
      isByMode = isCommitByMode(task.task.input.call);
    }
    if (event.type === "tool.settled") {
      settled = event.result;
      if (event.result.status === "denied") denial = event.result.error ?? null;
    }
    if (task.phase === "SUMMARIZING")
      ending = {
        error: task.end.error,
        note: task.end.note,
        cancelled: task.end.stop === "CANCELLED" ? task.cancelled : null,
      };
    if (event.type === "task.summarized") summary = event.summary;
    if (event.type === "task.ended" && summary) finish(event.taskId, summary, published);
  });
}
