import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { changedFiles } from "../../platform/git/changed-files.ts";
import { revisionFor } from "../../platform/git/revision.ts";
import type { TaskInput } from "../port.ts";
import { reviewTask, scopeOf } from "./review.ts";

/** After this time the changes are unknown, and the review looks at everything. */
const lookMs = 10_000;

export async function reviewNow(workspace: string, base: string | null, focus: string): Promise<TaskInput | Phrase> {
  const signal = AbortSignal.timeout(lookMs);
  const since = await revisionFor(workspace, base, signal);
  if (since === null) return phrase("review.base", { base: base ?? "" });
  const scope = scopeOf(await changedFiles(workspace, since, signal), workspace);
  return "key" in scope ? scope : reviewTask(since, focus, scope);
}
