import type { DiffData } from "../contract/diff.ts";
import { type Lang, type Phrase, phrase, say } from "../contract/text/catalogue.ts";
import type { VerificationResult } from "../contract/verification.ts";
import { visible } from "../contract/visible.ts";
import { verificationLines } from "./verification.ts";

interface Shown {
  readonly output: string;
  readonly data: unknown;
}

/** What a call that a person asked for came to, in their language where we know more of it than its output. */
export function callText(lang: Lang, { output, data }: Shown): string {
  if (typeof data !== "object" || data === null) return output;
  if ("verification" in data) return verificationLines(lang, data.verification as VerificationResult).join("\n");
  if ("said" in data && Array.isArray(data.said))
    return (data.said as readonly Phrase[]).map((one) => say(lang, one)).join("\n");
  return "untracked" in data && "diff" in data ? diffText(lang, data as DiffData) : output;
}

/** Whole: the output that a model would get is bounded. */
function diffText(lang: Lang, { stat, diff, untracked }: DiffData): string {
  const head = untracked.length === 0 ? [] : [say(lang, phrase("workflow.diff.untracked"))];
  const names = [...head, ...untracked.map((name) => `  ${visible(name)}`)].join("\n");
  const blocks = [stat.trimEnd(), diff.trimEnd(), names].filter((block) => block !== "");
  return blocks.length === 0 ? say(lang, phrase("workflow.diff.none")) : blocks.join("\n\n");
}
