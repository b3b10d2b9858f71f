import { realpathSync } from "node:fs";

/** PATH with every folder resolved through links; one that does not exist stays as it is. */
export function resolvedPathVariable(value: string): string {
  return value.split(":").map(resolved).join(":");
}

function resolved(entry: string): string {
  try {
    return entry.startsWith("/") ? realpathSync.native(entry) : entry;
  } catch {
    // A folder that does not exist holds no program now; if it lies in the workspace the plain name still tells.
    return entry;
  }
}
