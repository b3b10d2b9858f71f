import { changeConfig } from "../../config/file/change.ts";
import { withValue } from "../../config/file/edit.ts";
import { configFile } from "../../config/values.ts";
import { ok, type Result } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import type { UiChoice } from "../../contract/ui.ts";
import type { Flags } from "../cli/flags.ts";
import { notPerson } from "../trust/trust-state.ts";

export async function persistUi({ home }: Settings, flags: Flags, choice: UiChoice): Promise<Result<void>> {
  const problem = notPerson("config");
  if (problem) return { ok: false, error: problem };
  const file = configFile({ flags, env: { CODER_HOME: home }, cwd: process.cwd() });
  return await changeConfig(home, file, (before) =>
    ok(Object.entries(choice).reduce((text, [key, value]) => withValue(text, ["ui", key], value), before ?? "")),
  );
}
