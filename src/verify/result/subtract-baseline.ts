import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { MAX_DETAILS, type VerificationDetail, type VerificationResult } from "../../contract/verification.ts";
import { settled } from "./fingerprint.ts";

/**
 * Drops failures that `before` has with the same message. Nothing is dropped if a list was cut: an unlisted failure may be new.
 * If only old failures remain, other passed tests make it a pass. `mayBeOld`: the task cannot have caused it.
 */
export function withoutOld(
  now: VerificationResult,
  before: VerificationResult,
  lang: Lang,
  mayBeOld: (detail: VerificationDetail) => boolean = () => true,
): VerificationResult {
  if (isCut(now) || isCut(before) || before.type !== now.type) return now;
  const known = new Set(before.details.map(keyOf));
  const isOld = (one: VerificationDetail): boolean => known.has(keyOf(one)) && mayBeOld(one);
  const old = now.details.filter(isOld);
  if (old.length === 0) return now;
  const details = now.details.filter((one) => !isOld(one));
  const summary = say(lang, phrase("check.old", { summary: now.summary, n: old.length }));
  return { ...now, ...(details.length === 0 ? cleared(now, lang) : {}), details, old, summary };
}

function cleared({ counts, passed_uncounted }: VerificationResult, lang: Lang): Partial<VerificationResult> {
  if ((counts.passed ?? 0) > 0 || passed_uncounted) return { ok: true, type: "pass", suggestion: "" };
  return { ok: false, type: "environment", suggestion: say(lang, phrase("check.old.alone")) };
}

function isCut({ type, counts, details }: VerificationResult): boolean {
  const failing = (counts.failed ?? 0) + (counts.errors ?? 0);
  return details.length >= MAX_DETAILS || details.length < failing || (failing === 0 && type === "test_failure");
}

/** Without lines, which move with every edit. */
function keyOf({ file, test, error }: VerificationDetail): string {
  return JSON.stringify([file, test, settled(error)]);
}
