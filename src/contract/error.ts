import type { Phrase, TextKey } from "./text/catalogue.ts";

type Row = {
  class: "policy" | "io" | "input" | "model" | "breaker" | "cancel" | "store" | "config" | "internal";
  /** Who may retry: nobody, the pipeline (reads only), or the caller of the model adapter. */
  retry: "never" | "reads" | "model";
  sideEffect: "none" | "applied" | "unknown";
  exit: number;
  advice: TextKey;
};

/** The table of errors (ER-1) with exit codes (SU-2). */
export const errorTable = {
  E_POLICY_DENIED: { class: "policy", retry: "never", sideEffect: "none", exit: 4, advice: "advice.policy" },
  E_IO: { class: "io", retry: "reads", sideEffect: "none", exit: 1, advice: "advice.io" },
  E_TOOL_TIMEOUT: { class: "io", retry: "never", sideEffect: "unknown", exit: 1, advice: "advice.timeout" },
  E_INVALID_ARGS: { class: "input", retry: "never", sideEffect: "none", exit: 2, advice: "advice.args" },
  E_CONFLICT: { class: "io", retry: "never", sideEffect: "none", exit: 1, advice: "advice.conflict" },
  E_BUILD_FAIL: { class: "io", retry: "never", sideEffect: "applied", exit: 1, advice: "advice.build" },
  E_MODEL: { class: "model", retry: "model", sideEffect: "none", exit: 7, advice: "advice.model" },
  E_STUTTERING: { class: "breaker", retry: "never", sideEffect: "none", exit: 5, advice: "advice.stutter" },
  E_MAX_ITER: { class: "breaker", retry: "never", sideEffect: "none", exit: 5, advice: "advice.max_iter" },
  E_CANCELLED: { class: "cancel", retry: "never", sideEffect: "unknown", exit: 130, advice: "advice.cancelled" },
  E_STORE: { class: "store", retry: "never", sideEffect: "none", exit: 8, advice: "advice.store" },
  E_CONFIG: { class: "config", retry: "never", sideEffect: "none", exit: 2, advice: "advice.config" },
  E_INTERNAL: { class: "internal", retry: "never", sideEffect: "unknown", exit: 70, advice: "advice.internal" },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof errorTable;

/** An error as data: crosses rooms, is stored in events, and becomes text only when it is shown. */
export interface ErrorInfo {
  readonly code: ErrorCode;
  readonly text: Phrase;
  readonly advice?: Phrase;
  /** Overrides the table if more is known about this failure. */
  readonly sideEffect?: "none" | "applied" | "unknown";
  /** TP-5: probably passes by itself (EAGAIN, EMFILE, EBUSY…), so a read may retry. */
  readonly transient?: true;
  readonly traceId?: string;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorInfo };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(
  code: ErrorCode,
  text: Phrase,
  more: Omit<ErrorInfo, "code" | "text"> = {},
): { ok: false; error: ErrorInfo } {
  return { ok: false, error: { code, text, ...more } };
}

/** Thrown for bugs, cancellation and store failures; expected failures are a `Result`. */
export class CoderError extends Error {
  readonly info: ErrorInfo;
  constructor(info: ErrorInfo, options?: ErrorOptions) {
    super(`${info.code} ${info.text.key}`, options);
    this.name = "CoderError";
    this.info = info;
  }
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new CoderError(result.error);
  return result.value;
}

export function exitCodeOf(code: ErrorCode): number {
  return errorTable[code].exit;
}
