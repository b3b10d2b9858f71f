import { join } from "node:path";
import type { Result } from "../../contract/error.ts";
import { ok } from "../../contract/error.ts";
import { writeInCoderFolder } from "../../store/snapshot.ts";

/** TP-6: what does not fit the request goes to a file under `.coder/` that `read` can page. */
export function writeSpill(workspace: string, name: string, text: string): Result<string> {
  const written = writeInCoderFolder(workspace, "output", name, text);
  return written.ok ? ok(join(".coder", "output", name)) : written;
}
