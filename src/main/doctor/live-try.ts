import { loadSettings, type SettingsSources } from "../../config/load.ts";
import { CoderError } from "../../contract/error.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { TryOut } from "../../model/try-out.ts";

const PATIENCE_MS = 120_000;

export async function liveTry(choice: ModelChoice, sources: SettingsSources): Promise<TryOut> {
  const settings = loadSettings({ ...sources, withModel: false });
  const network = settings.ok ? settings.value.network : undefined;
  const { openModel } = await import("../../model/open.ts");
  const { tryOut } = await import("../../model/try-out.ts");
  try {
    const port = await openModel(choice, { idleMs: PATIENCE_MS }, network);
    return await tryOut(port, AbortSignal.timeout(PATIENCE_MS));
  } catch (error) {
    if (!(error instanceof CoderError)) throw error;
    return { error: error.info, isCalled: false, firstMs: null, ms: 0, usage: null, text: "" };
  }
}
