import { describe } from "../../command/text/answer.ts";
import { failureLines, risksToTell, shownReason } from "../../command/text/verification.ts";
import { visible } from "../../contract/show/visible.ts";
import type { OpenQuestion } from "../../contract/task.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { TaskResult } from "./result.ts";
import type { Finished } from "./watch.ts";

export function endingLines(finished: Finished, lang: Lang): readonly string[] {
  const { result, error, note } = finished;
  const { changed_files: files, verification, blocked, next_steps: next } = result.summary;
  const noted = note ? say(lang, note) : null;
  const isChecked = files.length > 0 || verification.results !== undefined;
  const isAsked = (result.summary.questions ?? []).length > 0;
  const why = [
    ...(noted === null ? [] : [noted]),
    ...(blocked === undefined || blocked === noted ? [] : [blocked]),
    ...(error && result.stop_reason !== "CANCELLED" ? [describe(lang, error)] : []),
  ];
  const isSaid = (line: string): boolean => line === noted || why.some((one) => one.includes(`\n${line}`));
  return [
    ...why,
    ...files.map((file) => `${file.change.padEnd(7)}${visible(file.path)}`),
    ...(isChecked ? outcomeLines(result, lang) : []),
    ...risksToTell(lang, result.summary),
    ...next.filter((line) => !isSaid(line)),
    ...(isAsked ? [say(lang, phrase("workflow.answer_how", { id: result.session_id }))] : []),
  ];
}

/** VF-6: the outcome with its proof. */
function outcomeLines({ outcome, summary }: TaskResult, lang: Lang): readonly string[] {
  const { reason, results = [] } = summary.verification;
  const word = phrase(`workflow.outcome.word.${outcome}`);
  const other = [say(lang, phrase("workflow.outcome.other", { outcome: word, reason: shownReason(lang, reason) }))];
  if (results.length === 0 || outcome === "UNVERIFIED") return other;
  const decisive = results.filter(({ ok }) => ok === (outcome === "VERIFIED"));
  const key = outcome === "VERIFIED" ? "workflow.outcome.verified" : "workflow.outcome.failed";
  const lines = decisive.flatMap(({ command, summary: facts, details }) => [
    say(lang, phrase(key, { command, summary: facts })),
    ...failureLines(lang, details),
  ]);
  return lines.length > 0 ? lines : other;
}

/** SM-7: a task that cannot continue without answers has its questions as its result. */
export function questionLines(questions: readonly OpenQuestion[]): readonly string[] {
  return questions.flatMap(({ question, options }, at) => [
    `${at + 1}. ${question}`,
    ...options.map((option) => `   - ${option}`),
  ]);
}
