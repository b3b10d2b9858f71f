import type { Effect } from "../../contract/effect.ts";
import { CoderError, type ErrorInfo, exitCodeOf } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { TaskSummary } from "../../contract/task.ts";
import { phrase } from "../../contract/text/catalogue.ts";

export interface Crash {
  readonly effect: Effect;
  readonly error: unknown;
  readonly traceId: string;
  readonly settle: ((error: ErrorInfo) => EventBody) | null;
}

export function isOurFault(error: unknown): boolean {
  return !(error instanceof CoderError) || error.info.code === "E_INTERNAL";
}

/** A bug of ours ends the call, the model call or the task, never the session (SM-6, ER-2). */
export function crashEvents({ effect, error, traceId, settle }: Crash): readonly EventBody[] {
  const what = effect.type;
  const known = error instanceof CoderError && !isOurFault(error) ? error.info : null;
  const info: ErrorInfo = known ?? { code: "E_INTERNAL", text: phrase("run.crashed", { what }), traceId };
  const report: readonly EventBody[] = known ? [] : [{ type: "internal.reported", traceId, what }];
  if (settle) return [...report, settle(info)];
  if (effect.type === "end_job") {
    const { jobId } = effect;
    return [...report, { type: "job.ended", jobId, fate: "lost", exitCode: null, signal: null, tail: "" }];
  }
  if (effect.type === "call_model") {
    const { runId, index, attempt } = effect;
    const fault = "bad_request" as const;
    return [...report, { type: "model.failed", runId, index, attempt, error: info, fault, retryInMs: null }];
  }
  // A cancel would not help here: the task is already ending, so it gets a minimal summary.
  if (effect.type === "summarize_task")
    return [...report, { type: "task.summarized", taskId: effect.taskId, summary: bareSummary }];
  return [...report, { type: "cancel.requested", source: "internal" }];
}

const bareSummary: TaskSummary = {
  changed_files: [],
  why: "",
  commands: [],
  verification: { status: "none", reason: "" },
  risks: [],
  rollback: "",
  next_steps: [],
  outcome: "FAILED",
  stop_reason: "BLOCKED",
  check_wanted: false,
  exit_code: exitCodeOf("E_INTERNAL"),
};
