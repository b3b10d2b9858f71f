import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { clean } from "../../engine/call/redact.ts";

/** The log of internals keeps this much, twice. */
const MAX_BYTES = 1_000_000;

/** Before settings are loaded: the same rule as theirs. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.CODER_HOME || join(env.HOME || homedir(), ".coder");
}

export function newTraceId(): string {
  return `trace-${crypto.randomUUID().slice(0, 8)}`;
}

/** ER-2: stacks and causes go here under the trace id, redacted; the outside sees the id only. */
export function logInternal(home: string, traceId: string, error: unknown): void {
  const folder = join(home, "log");
  const file = join(folder, "internal.log");
  const detail =
    error instanceof Error
      ? `${error.stack ?? error.message}${error.cause ? `\ncause: ${String(error.cause)}` : ""}`
      : String(error);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`);
    appendFileSync(file, `${new Date().toISOString()} ${traceId} ${clean(detail)}\n`, { mode: 0o600 });
  } catch {
    // Nowhere to write: the caller already reports the trace id, and a second failure would hide the first.
  }
}
