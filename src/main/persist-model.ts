import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withValue } from "../config/edit.ts";
import { mustBeEditable } from "../config/file.ts";
import { fail, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { writeConfigFile } from "../store/snapshot.ts";

/** SL-1: keeps the choice in `./.coder/config.json`, only that key; comments and everything else there stay as they are. */
export function persistModel(workspace: string, ref: string): Result<void> {
  const path = join(workspace, ".coder", "config.json");
  const notKept = fail("E_CONFIG", phrase("command.model.not_kept", { path }));
  const before = readText(path);
  if (before === null || !mustBeEditable(before, path).ok) return notKept;
  const written = writeConfigFile(workspace, withValue(before, ["model"], ref));
  return written.ok ? written : notKept;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "" : null;
  }
}
