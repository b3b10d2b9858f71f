import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { repositoryAbove } from "../../platform/changes/above.ts";
import { findProgram, foreignPath } from "../../platform/find-program.ts";

/** SL-2: why there is nothing to compare with. */
export function diffProblem(workspace: string, pathVariable: string): Phrase | null {
  if (repositoryAbove(workspace) === null) return phrase("diff.no_repository", { workspace });
  const isThere = findProgram(["git"], foreignPath(pathVariable, [workspace]), [workspace]) !== null;
  return isThere ? null : phrase("diff.no_git");
}
