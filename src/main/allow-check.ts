import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { changeConfig } from "../config/change.ts";
import { withItem } from "../config/edit.ts";
import { fail, ok, type Result } from "../contract/error.ts";
import type { Settings } from "../contract/settings.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { Flags } from "./flags.ts";
import { notPerson } from "./trust-state.ts";

/** VF-2: adds the command to the list in the person's own configuration, never in the project's. `value`: the file. */
export async function allowCheck(
  { home, workspace }: Pick<Settings, "home" | "workspace">,
  { config }: Pick<Flags, "config">,
  command: string,
): Promise<Result<string>> {
  const problem = notPerson("workflow.verify_allowed");
  if (problem) return { ok: false, error: problem };
  const own = join(home, "config.json");
  const file = config === undefined ? own : resolve(config);
  if (file !== own && folderOf(file) === join(workspace, ".coder"))
    return fail("E_CONFIG", phrase("verify.not_own_config", { file }));
  const path = ["workflow", "verify_allowed"];
  const changed = await changeConfig(home, file, (before) => ok(withItem(before ?? "", path, command)));
  return changed.ok ? ok(file) : changed;
}

function folderOf(file: string): string {
  try {
    return realpathSync.native(dirname(file));
  } catch {
    // Not there: whoever writes the file says so.
    return dirname(file);
  }
}
