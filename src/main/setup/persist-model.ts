import { join } from "node:path";
import { withValue } from "../../config/file/edit.ts";
import { decodeConfig, mustBeEditable } from "../../config/file/file.ts";
import { readConfigBytes } from "../../config/values.ts";
import { fail, type Result } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { keepInConfigFile } from "../../store/snapshot.ts";
import { keepTrust } from "../trust/trust-state.ts";

/** SL-1: stores the model in `./.coder/config.json` and keeps everything else in it, comments included. */
export function persistModel({ workspace, home }: Pick<Settings, "workspace" | "home">, ref: string): Result<void> {
  const path = join(workspace, ".coder", "config.json");
  const notKept = fail("E_CONFIG", phrase("command.model.not_kept", { path }));
  const before = readConfigBytes(path, false);
  const text = before.ok ? decodeConfig(before.value ?? Buffer.alloc(0)) : null;
  if (!before.ok || text === null || !mustBeEditable(text, path).ok) return notKept;
  const after = withValue(text, ["model"], ref);
  const change = { before: before.value, after: new TextEncoder().encode(after) };
  const written = keepTrust(workspace, home, change, () => keepInConfigFile(workspace, after));
  return written.ok ? written : notKept;
}
