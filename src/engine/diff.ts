import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { repositoryAbove } from "../platform/changes/above.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { findProgram, foreignPath } from "../platform/find-program.ts";

/** SL-2: why there is nothing to compare with. */
export function diffProblem(workspace: string, pathVariable: string): Phrase | null {
  if (repositoryAbove(workspace) === null) return phrase("diff.no_repository", { workspace });
  const isThere = findProgram(["git"], foreignPath(pathVariable, [workspace]), [workspace]) !== null;
  return isThere ? null : phrase("diff.no_git");
}

/** What git itself calls a tree with nothing in it. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** What changes are compared with: the last commit, and before the first one nothing. Read, not asked from git. */
export function lastCommit(workspace: string): string {
  const top = repositoryAbove(workspace) ?? workspace;
  const branch = /^ref: (refs\/\S+)$/.exec(textOf(join(top, ".git", "HEAD")).trim())?.[1];
  if (branch === undefined) return "HEAD";
  const isBorn = textOf(join(top, ".git", branch)) !== "" || textOf(join(top, ".git", "packed-refs")).includes(branch);
  return isBorn ? "HEAD" : EMPTY_TREE;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, 1_000_000);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "";
  }
}
