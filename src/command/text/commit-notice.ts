// RB-4: commits that nobody typed, made after each task because `git.mode` says so.
import type { CallResult } from "../../contract/message.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

/** Only the input of such a commit has this argument. */
export function isCommitByMode(call: { readonly input: unknown } | undefined): boolean {
  return (call?.input as { readonly auto?: boolean } | undefined)?.auto === true;
}

export function commitNotice(settled: CallResult | null): Phrase {
  const { commit, branch, subject } = settled?.data ?? {};
  if (commit === undefined || branch === undefined || subject === undefined) {
    return phrase("git.not_committed", { why: settled?.error?.text ?? "–" });
  }
  return phrase("git.committed", { commit: commit.slice(0, 10), branch, subject });
}
