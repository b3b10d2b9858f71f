import type { ErrorInfo } from "../../contract/error.ts";
import { errorTable } from "../../contract/error.ts";
import type { Outcome, StopReason, TaskSummary } from "../../contract/task.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { SessionState } from "../../engine/port.ts";

/** The stable JSON of one finished task. */
export interface TaskResult {
  readonly type: "result";
  readonly session_id: string;
  readonly task_id: string;
  readonly text: string;
  readonly outcome: Outcome;
  readonly stop_reason: StopReason;
  readonly exit_code: number;
  readonly summary: TaskSummary;
  readonly error: ErrorJson | null;
  readonly usage: SessionState["usage"];
  readonly returned_input: readonly string[];
  readonly duration_ms: number;
}

export interface ErrorJson {
  readonly code: string;
  readonly message: string;
  readonly advice: string;
  readonly trace_id: string | null;
}

export function errorJson(lang: Lang, error: ErrorInfo): ErrorJson {
  return {
    code: error.code,
    message: say(lang, error.text),
    advice: say(lang, error.advice ?? phrase(errorTable[error.code].advice)),
    trace_id: error.traceId ?? null,
  };
}
