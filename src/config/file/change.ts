// Changes a config file: reads, edits and validates the whole result before replacing it.
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { ruleProblem } from "../permission/permission.ts";
import { readConfigBytes } from "../values.ts";
import { decodeConfig, mustBeEditable, parseConfig } from "./file.ts";
import { whileLocked, writeConfig } from "./write.ts";

export type ConfigEdit = (before: string | null, file: string) => Result<string>;

/** The edited text, if the whole result is a valid config. */
export function editedConfig(bytes: Uint8Array | null, file: string, edit: ConfigEdit): Result<string> {
  const before = bytes === null ? null : decodeConfig(bytes);
  if (bytes !== null && before === null) return fail("E_CONFIG", phrase("config.not_utf8", { file }));
  const editable = before === null ? ok(null) : mustBeEditable(before, file);
  if (!editable.ok) return editable;
  const after = edit(before, file);
  if (!after.ok) return after;
  const checked = parseConfig(new TextEncoder().encode(after.value), file);
  if (!checked.ok) return checked;
  const problem = ruleProblem(after.value, file);
  return problem === null ? after : fail("E_CONFIG", problem, { advice: phrase("permission.advice") });
}

/** Changes the user's own file. `home`: holds the lock. */
export function changeConfig(home: string, file: string, edit: ConfigEdit): Promise<Result<void>> {
  return whileLocked(home, () => {
    const bytes = readConfigBytes(file, false);
    if (!bytes.ok) return bytes;
    const after = editedConfig(bytes.value, file, edit);
    return after.ok ? writeConfig(file, after.value) : after;
  });
}
