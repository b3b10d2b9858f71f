import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest repository at or above a folder. */
export function repositoryAbove(folder: string): string | null {
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? null : repositoryAbove(above);
}
