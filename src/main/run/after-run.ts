import type { Settings } from "../../contract/settings.ts";
import type { Io } from "../../surface/headless/io.ts";

/** What is removed by itself goes when the work is done. Whoever was cancelled wants to leave now. */
export async function afterRun(settings: Settings, code: number, io: Io): Promise<void> {
  const { maxAgeDays, maxSizeMb } = settings.retention;
  if (code === 130 || (maxAgeDays === null && maxSizeMb === null)) return;
  (await import("../session/retention.ts")).retainAfterRun(settings, io);
}
