import { visible } from "../../contract/show/visible.ts";
import type { TaskSummary } from "../../contract/task.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import {
  type Fold,
  foldDetails,
  namesIn,
  placeOf,
  type VerificationDetail,
  type VerificationResult,
} from "../../contract/verification.ts";
import type { ChecksNow } from "../../engine/port.ts";

const SHOWN = 20;

export function verificationLines(lang: Lang, result: VerificationResult): readonly string[] {
  const { ok, command, summary, suggestion, program } = result;
  const head = command === "" ? summary : `${command}: ${summary}`;
  const by = program === undefined ? [] : [say(lang, phrase("workflow.verify.program", { program: visible(program) }))];
  return [head, ...failureLines(lang, result.details), ...(ok || suggestion === "" ? [] : [suggestion]), ...by];
}

export function failureLines(lang: Lang, details: readonly VerificationDetail[]): readonly string[] {
  const folds = foldDetails(details);
  const rest = folds.slice(SHOWN).reduce((sum, { others }) => sum + 1 + others.length, 0);
  const more = rest > 0 ? [say(lang, phrase("workflow.more_failures", { n: rest }))] : [];
  return [...folds.slice(0, SHOWN).map((fold) => failureLine(lang, fold)), ...more];
}

function failureLine(lang: Lang, fold: Fold): string {
  const { first: detail, others } = fold;
  const [first = "", ...lines] = detail.error.trimEnd().split("\n");
  const like = phrase("workflow.like_failures", { n: others.length, names: namesIn(fold) });
  const all = others.length === 0 ? lines : [...lines, say(lang, like)];
  return [`${placeOf(detail)}${first}`, ...all.map((one) => `    ${one}`)].join("\n");
}

/** Without the risks that the outcome line states already. */
export function risksToTell(lang: Lang, { risks, verification }: TaskSummary): readonly string[] {
  const failed = (verification.results ?? []).map(({ command }) => phrase("summary.failed_risk", { command }));
  const told = [phrase("summary.unverified_risk"), ...failed].map((one) => say(lang, one));
  return risks.filter((risk) => !told.includes(risk));
}

/** VF-3 fixes the words that programs read; on a screen the outcome beside them says the same. */
export function shownReason(lang: Lang, reason: string): string {
  const fixed = (why: Phrase | string): string => say(lang, phrase("verify.not_run", { why }));
  if (reason === fixed(phrase("verify.not_asked"))) return say(lang, phrase("verify.not_asked.shown"));
  return reason.startsWith(fixed("")) ? reason.slice(fixed("").length) : reason;
}

/** Nothing ran, which says nothing about the code. */
export function nothingRun(lang: Lang, now: Extract<ChecksNow, { kind: "none" }>): VerificationResult {
  return {
    ok: false,
    type: "environment",
    command: now.command,
    exit_code: null,
    summary: say(lang, now.why),
    counts: { passed: null, failed: null, errors: null, skipped: null, todo: null },
    details: [],
    suggestion: now.advice ? say(lang, now.advice) : "",
    fingerprint: "",
  };
}
