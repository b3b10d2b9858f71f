import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { changeConfig } from "../../config/file/change.ts";
import { withItem, withValue } from "../../config/file/edit.ts";
import { configFile } from "../../config/values.ts";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase, type TextKey } from "../../contract/text/catalogue.ts";
import type { UiChoice } from "../../contract/ui.ts";
import type { Flags } from "../cli/flags.ts";
import { notPerson } from "../trust/trust-state.ts";

type ConfigPlace = Pick<Settings, "home" | "workspace">;
type ConfigFlags = Pick<Flags, "config">;

/** VF-2: adds the command to the list in the user's config, never in the project's. Returns the file. */
export function allowCheck(settings: ConfigPlace, flags: ConfigFlags, command: string): Promise<Result<string>> {
  const refusal = { what: "workflow.verify_allowed", foreign: "verify.not_own_config" } as const;
  return changeOwn(settings, flags, refusal, (text) => withItem(text, ["workflow", "verify_allowed"], command));
}

/** IN-3: stops asking about commands that the user types. */
export function typeDirectly(settings: ConfigPlace, flags: ConfigFlags): Promise<Result<string>> {
  const refusal = { what: "shell_mode.approval", foreign: "shell.not_own_config" } as const;
  return changeOwn(settings, flags, refusal, (text) => withValue(text, ["shell_mode", "approval"], "direct"));
}

async function changeOwn(
  { home, workspace }: ConfigPlace,
  { config }: ConfigFlags,
  { what, foreign }: { readonly what: string; readonly foreign: TextKey },
  edit: (text: string) => string,
): Promise<Result<string>> {
  const problem = notPerson(what);
  if (problem) return { ok: false, error: problem };
  const own = join(home, "config.json");
  const file = config === undefined ? own : resolve(config);
  if (file !== own && folderOf(file) === join(workspace, ".coder")) return fail("E_CONFIG", phrase(foreign, { file }));
  const changed = await changeConfig(home, file, (before) => ok(edit(before ?? "")));
  return changed.ok ? ok(file) : changed;
}

function folderOf(file: string): string {
  try {
    return realpathSync.native(dirname(file));
  } catch {
    // Missing; the write will report it.
    return dirname(file);
  }
}

export async function persistUi({ home }: ConfigPlace, flags: Flags, choice: UiChoice): Promise<Result<void>> {
  const problem = notPerson("config");
  if (problem) return { ok: false, error: problem };
  const file = configFile({ flags, env: { CODER_HOME: home }, cwd: process.cwd() });
  return await changeConfig(home, file, (before) =>
    ok(Object.entries(choice).reduce((text, [key, value]) => withValue(text, ["ui", key], value), before ?? "")),
  );
}
