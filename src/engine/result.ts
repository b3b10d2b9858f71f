import type { ErrorInfo } from "../contract/error.ts";
import type { CallResult, FileChange } from "../contract/message.ts";
import { phrase, say } from "../contract/text/catalogue.ts";

/** A result before it is bounded, redacted and keyed. */
export type Settled = Omit<CallResult, "key" | "ms">;

export function field(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>)[name] : undefined;
}

export function written(text: string, changes: readonly FileChange[], data?: unknown): Settled {
  return { status: "done", output: text, changes, ...(data === undefined ? {} : { data }) };
}

export function failed(error: ErrorInfo): Settled {
  return {
    status: error.code === "E_CANCELLED" ? "cancelled" : error.code === "E_POLICY_DENIED" ? "denied" : "failed",
    output: errorText(error),
    error,
  };
}

export function cancelledResult(): Settled {
  const error: ErrorInfo = { code: "E_CANCELLED", text: phrase("run.never_started"), sideEffect: "none" };
  return { status: "cancelled", output: errorText(error), error };
}

/** What the model reads of an error: always English, with the next move. */
export function errorText(error: ErrorInfo): string {
  const advice = error.advice ? `\n${say("en", error.advice)}` : "";
  return `${error.code}: ${say("en", error.text)}${advice}`;
}
