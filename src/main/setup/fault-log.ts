import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { clean } from "../../engine/call/redact.ts";

/** The size at which the log is rotated; one old file is kept. */
const MAX_BYTES = 1_000_000;

/** The same rule as for settings, which are not loaded yet. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.CODER_HOME || join(env.HOME || homedir(), ".coder");
}

export function newTraceId(): string {
  return `trace-${crypto.randomUUID().slice(0, 8)}`;
}

/** ER-2: writes redacted details under the trace id, which is all that others see. */
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
    // Reporting this failure would hide the first one, whose trace id the caller shows.
  }
}
