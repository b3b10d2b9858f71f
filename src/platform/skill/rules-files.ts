import { dirname, join } from "node:path";
import { repositoryAbove } from "../changes/above.ts";
import { isThere } from "../files/probe.ts";

/** Only the first of these that exists in a folder counts. */
const rulesNames: readonly string[] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/** Folders whose rules apply to the workspace, from the root of its repository down to it. */
export function rulesFolders(workspace: string): readonly string[] {
  const top = repositoryAbove(workspace) ?? workspace;
  const folders = [workspace];
  for (let folder = workspace; folder !== top && folder !== dirname(folder); folders.unshift(folder))
    folder = dirname(folder);
  return folders;
}

/** The name of its rules file; `null`: none. An unusable file is not replaced by the next name. */
export function rulesNameIn(folder: string): string | null {
  return rulesNames.find((name) => isThere(join(folder, name))) ?? null;
}
