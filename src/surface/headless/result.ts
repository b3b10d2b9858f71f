import { type ErrorInfo, errorTable } from "../../contract/error.ts";
import type { CutReply } from "../../contract/event.ts";
import type { CallResult } from "../../contract/message.ts";
import type { ResultData } from "../../contract/result-data.ts";
import { inDollars } from "../../contract/show/money.ts";
import type { Outcome, StopReason, TaskSummary } from "../../contract/task.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { EnginePort, HistoryPort } from "../../engine/port.ts";
import type { SessionState } from "../../machine/state.ts";

export interface TaskResult {
  readonly type: "result";
  readonly session_id: string;
  readonly task_id: string;
  readonly text: string;
  /** The later part of the reply, which was cut off. */
  readonly interrupted?: CutReply;
  /** With `--output-schema`: the answer as a value; `null` when it does not match. */
  readonly structured?: unknown;
  readonly outcome: Outcome;
  readonly stop_reason: StopReason;
  readonly exit_code: number;
  readonly summary: TaskSummary;
  /** Result of a `!command`: its output as shown, and the structured value. */
  readonly command: { readonly output: string; readonly data: ResultData | null } | null;
  readonly error: ErrorJson | null;
  readonly usage: SessionState["usage"];
  /** Covers the session, like `usage`; absent when a price is unknown. */
  readonly cost_usd?: number;
  readonly returned_input: readonly string[];
  readonly duration_ms: number;
}

interface MoreOfResult {
  readonly error: ErrorInfo | null;
  readonly returned: readonly string[];
  readonly ms: number;
  readonly command: CallResult | null;
}

type LastTask = NonNullable<ReturnType<HistoryPort["lastTask"]>>;

export function resultOf(port: EnginePort, state: SessionState, ended: LastTask, more: MoreOfResult): TaskResult {
  const { taskId, summary } = ended;
  const structured = port.structured(taskId);
  const cut = port.cutReply(taskId);
  return {
    type: "result",
    session_id: state.id,
    task_id: taskId,
    text: port.lastText(taskId),
    ...(cut ? { interrupted: cut } : {}),
    ...(structured === null ? {} : { structured: structured === "unfit" ? null : structured.value }),
    outcome: summary.outcome,
    stop_reason: summary.stop_reason,
    exit_code: summary.exit_code,
    summary,
    command: more.command ? { output: more.command.output, data: more.command.data ?? null } : null,
    error: more.error ? errorJson(port.settings.lang, more.error) : null,
    usage: state.usage,
    ...(state.cost === null ? {} : { cost_usd: inDollars(state.cost) }),
    returned_input: more.returned,
    duration_ms: Math.round(more.ms),
  };
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
