import type { ErrorInfo } from "./error.ts";
import type { ModelCall } from "./event.ts";
import type { CallId, InputId, RunId, TaskId } from "./ids.ts";
import type { CallResult } from "./message.ts";
import type { Question } from "./task.ts";
import type { Phrase } from "./text/catalogue.ts";

export type Effect =
  | { readonly type: "start_task"; readonly inputId: InputId }
  | { readonly type: "return_input"; readonly inputIds: readonly InputId[] }
  | { readonly type: "deliver_input"; readonly runId: RunId; readonly inputIds: readonly InputId[] }
  | { readonly type: "assess_task"; readonly taskId: TaskId }
  | { readonly type: "ask_clarification"; readonly taskId: TaskId; readonly questions: readonly Question[] }
  /** Decides how risky a new or edited plan is, and whether to ask the user. */
  | { readonly type: "settle_plan"; readonly taskId: TaskId }
  | { readonly type: "ask_plan"; readonly taskId: TaskId }
  /** Looks for a plan in the first reply of a complex task. */
  | { readonly type: "read_plan"; readonly runId: RunId }
  | { readonly type: "start_run"; readonly taskId: TaskId; readonly runId: RunId }
  | { readonly type: "run_checks"; readonly taskId: TaskId }
  | { readonly type: "judge_check"; readonly taskId: TaskId }
  /** After the last check: does the answer fit the schema of its input? */
  | { readonly type: "check_answer"; readonly taskId: TaskId }
  /** Decides how to recover a run that stopped over calls or plan steps, unless the state alone decides it. */
  | { readonly type: "decide_recovery"; readonly taskId: TaskId; readonly cause: "tools" | "plan" }
  | { readonly type: "summarize_task"; readonly taskId: TaskId }
  | { readonly type: "end_task"; readonly taskId: TaskId }
  | (ModelCall & { readonly type: "call_model" })
  | (ModelCall & { readonly type: "wait_retry"; readonly ms: number })
  | (ModelCall & { readonly type: "compact" })
  /** `ahead`: earlier calls still run; the call starts now only if it is proved to read. */
  | { readonly type: "decide_call"; readonly runId: RunId; readonly callId: CallId; readonly ahead?: true }
  | { readonly type: "ask_human"; readonly runId: RunId; readonly callId: CallId }
  | { readonly type: "intend_call"; readonly runId: RunId; readonly callId: CallId }
  | { readonly type: "execute_call"; readonly runId: RunId; readonly callId: CallId }
  | { readonly type: "reconcile_call"; readonly runId: RunId; readonly callId: CallId }
  | {
      readonly type: "settle_call";
      readonly runId: RunId;
      readonly callId: CallId;
      readonly status: CallResult["status"];
      readonly error: ErrorInfo;
    }
  /** Ends the call whose inner run has ended, with that run's outcome as result. */
  | { readonly type: "settle_sub"; readonly runId: RunId; readonly callId: CallId }
  | { readonly type: "give_advice"; readonly runId: RunId; readonly text: Phrase }
  | { readonly type: "stop_run"; readonly runId: RunId }
  | { readonly type: "end_job"; readonly jobId: string }
  | { readonly type: "report_internal"; readonly what: string };

export type EffectOf<T extends Effect["type"]> = Extract<Effect, { readonly type: T }>;
