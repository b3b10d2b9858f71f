import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { writeConfigFile } from "../store/snapshot.ts";

/** SL-1: keeps the choice in `./.coder/config.json`, only that key. A file with comments is left alone: they would be lost. */
export function persistModel(workspace: string, ref: string): Result<void> {
  const path = join(workspace, ".coder", "config.json");
  const notKept = fail("E_CONFIG", phrase("command.model.not_kept", { path }));
  const before = readConfig(path);
  if (before === null) return notKept;
  const written = writeConfigFile(workspace, `${JSON.stringify({ ...before, model: ref }, null, 2)}\n`);
  return written.ok ? written : notKept;
}

function readConfig(path: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? {} : null;
  }
}
