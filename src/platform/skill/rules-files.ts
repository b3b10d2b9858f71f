// Locations of rules for the model (CX-1).
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryAbove } from "../changes/above.ts";
import { errnoOf } from "../files/failure.ts";

/** Only the first of these that exists in a folder counts. */
const rulesNames: readonly string[] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/** Folders whose rules apply to the workspace, from the root of its repository down to it. */
export function rulesFolders(workspace: string): readonly string[] {
  const top = repositoryOf(workspace);
  const folders = [workspace];
  for (let folder = workspace; folder !== top && folder !== dirname(folder); folders.unshift(folder))
    folder = dirname(folder);
  return folders;
}

function repositoryOf(workspace: string): string {
  try {
    return repositoryAbove(workspace) ?? workspace;
  } catch (error) {
    // An unreadable parent folder has no rules here.
    if (errnoOf(error) === undefined) throw error;
    return workspace;
  }
}

/** The name of its rules file; `null`: none. An unusable file is not replaced by the next name. */
export function rulesNameIn(folder: string): string | null {
  return rulesNames.find((name) => isThere(join(folder, name))) ?? null;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
