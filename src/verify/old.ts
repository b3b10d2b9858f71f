import { type Lang, phrase, say } from "../contract/text/catalogue.ts";
import { MAX_DETAILS, type VerificationDetail, type VerificationResult } from "../contract/verification.ts";
import { settled } from "./fingerprint.ts";

/**
 * The first result without the failures that the second has too. A test that fails with other words than before was touched by the
 * task and is its own. Where one of the lists was cut, nothing is excused: what is not listed may be new.
 */
export function withoutOld(now: VerificationResult, before: VerificationResult, lang: Lang): VerificationResult {
  if (isCut(now) || isCut(before) || before.type !== "test_failure") return now;
  const known = new Set(before.details.map(keyOf));
  const old = now.details.filter((one) => known.has(keyOf(one)));
  if (old.length === 0 || !(now.counts.passed ?? 0)) return now;
  const details = now.details.filter((one) => !known.has(keyOf(one)));
  const isClean = details.length === 0;
  const summary = say(lang, phrase("check.old", { summary: now.summary, n: old.length }));
  return { ...now, ...(isClean ? { ok: true, type: "pass", suggestion: "" } : {}), details, old, summary };
}

function isCut({ counts, details }: VerificationResult): boolean {
  const failing = (counts.failed ?? 0) + (counts.errors ?? 0);
  return details.length >= MAX_DETAILS || details.length < failing || failing === 0;
}

/** Without lines, which move with every edit. */
function keyOf({ file, test, error }: VerificationDetail): string {
  return JSON.stringify([file, test, settled(error)]);
}
