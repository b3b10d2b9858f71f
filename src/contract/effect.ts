import type { ErrorInfo } from "./error.ts";
import type { CallId, InputId, RunId, TaskId } from "./ids.ts";
import type { CallResult } from "./message.ts";
import type { Question } from "./task.ts";
import type { Phrase } from "./text/catalogue.ts";

/** Orders that the engine carries out and answers with an event. */
export type Effect =
  | { readonly type: "start_task"; readonly inputId: InputId }
  | { readonly type: "return_input"; readonly inputIds: readonly InputId[] }
  | { readonly type: "deliver_input"; readonly runId: RunId; readonly inputIds: readonly InputId[] }
  | { readonly type: "assess_task"; readonly taskId: TaskId }
  | { readonly type: "ask_clarification"; readonly taskId: TaskId; readonly questions: readonly Question[] }
  /** A plan that was given or edited: how risky it is, and whether it is put to the person. */
  | { readonly type: "settle_plan"; readonly taskId: TaskId }
  | { readonly type: "ask_plan"; readonly taskId: TaskId }
  /** The reply that a complex task begins with: whether there is a plan in it. */
  | { readonly type: "read_plan"; readonly runId: RunId }
  | { readonly type: "start_run"; readonly taskId: TaskId; readonly runId: RunId }
  | { readonly type: "run_checks"; readonly taskId: TaskId }
  | { readonly type: "judge_check"; readonly taskId: TaskId }
  /** All checks are judged: whether the answer fits the schema of its input. */
  | { readonly type: "check_answer"; readonly taskId: TaskId }
  /** How a run goes on that stopped over calls or steps of its plan; what follows from the state alone, the machine decides itself. */
  | { readonly type: "decide_recovery"; readonly taskId: TaskId; readonly cause: "tools" | "plan" }
  | { readonly type: "summarize_task"; readonly taskId: TaskId }
  | { readonly type: "end_task"; readonly taskId: TaskId }
  | { readonly type: "call_model"; readonly runId: RunId; readonly index: number; readonly attempt: number }
  | {
      readonly type: "wait_retry";
      readonly runId: RunId;
      readonly index: number;
      readonly attempt: number;
      readonly ms: number;
    }
  | { readonly type: "compact"; readonly runId: RunId; readonly index: number; readonly attempt: number }
  | { readonly type: "decide_call"; readonly runId: RunId; readonly callId: CallId }
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
  /** The run inside this call is over: what became of it is the call's result. */
  | { readonly type: "settle_sub"; readonly runId: RunId; readonly callId: CallId }
  | { readonly type: "give_advice"; readonly runId: RunId; readonly text: Phrase }
  | { readonly type: "stop_run"; readonly runId: RunId }
  | { readonly type: "end_job"; readonly jobId: string }
  | { readonly type: "report_internal"; readonly what: string };

export type EffectOf<T extends Effect["type"]> = Extract<Effect, { readonly type: T }>;
