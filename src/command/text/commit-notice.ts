// RB-4: a commit that nobody asked for, because git.mode wants it after each task.
import type { CallResult } from "../../contract/message.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

/** Of an input that stands for a call: no other tool has this argument. */
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
