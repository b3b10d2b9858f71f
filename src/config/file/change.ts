// Changes to a config file: read, edit, check the whole result, and only then replace it.
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { ruleProblem } from "../permission/permission.ts";
import { readConfigBytes } from "../values.ts";
import { decodeConfig, mustBeEditable, parseConfig } from "./file.ts";
import { whileLocked, writeConfig } from "./write.ts";

/** `before`: `null` where there is no file. */
export type ConfigEdit = (before: string | null, file: string) => Result<string>;

/** The text that the edit makes of a file, if all of it holds what a config file may hold. */
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

/** Of the person's own file. `home`: where the lock is. */
export function changeConfig(home: string, file: string, edit: ConfigEdit): Promise<Result<void>> {
  return whileLocked(home, () => {
    const bytes = readConfigBytes(file, false);
    if (!bytes.ok) return bytes;
    const after = editedConfig(bytes.value, file, edit);
    return after.ok ? writeConfig(file, after.value) : after;
  });
}
