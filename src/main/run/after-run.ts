import type { Settings } from "../../contract/settings.ts";
import type { Io } from "../../surface/headless/io.ts";

/** Skips retention after a cancel, because the user wants to leave. */
export async function afterRun(settings: Settings, code: number, io: Io): Promise<void> {
  const { maxAgeDays, maxSizeMb } = settings.retention;
  if (code === 130 || (maxAgeDays === null && maxSizeMb === null)) return;
  (await import("../session/retention.ts")).retainAfterRun(settings, io);
}
