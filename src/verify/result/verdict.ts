import { type Lang, type PhraseArgs, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { VerificationCounts, VerificationDetail, VerificationResult } from "../../contract/verification.ts";
import { brokenIn, type OutputReading } from "../parse/reading.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { isDenied, type RunTrouble } from "./trouble.ts";

export interface Evidence {
  readonly lang: Lang;
  readonly command: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly runner: string;
  readonly reading: OutputReading;
  readonly trouble: () => RunTrouble | null;
  /** The thing that a message reports as missing, and the command that installs it, if known. */
  readonly install: (text: string) => { readonly what: string; readonly how: string | null } | null;
  readonly tail: () => string;
}

type Type = VerificationResult["type"];

interface Finding {
  readonly type: Type;
  readonly summary: TextKey;
  readonly args?: PhraseArgs;
  readonly advice: TextKey | null;
  readonly adviceArgs?: PhraseArgs;
  readonly detail?: string;
  readonly isByExitCode?: true;
}

/** A pass needs both: if exit code and summary disagree, it is not one. */
export function verdict(evidence: Evidence): VerificationResult {
  const { lang, runner } = evidence;
  const details = detailsOf(evidence.reading);
  const finding = find(evidence, details);
  const counts = countsFor(finding.type, evidence.reading);
  const shown = finding.detail === undefined || details.length > 0 ? details : [bare(finding.detail, evidence.tail())];
  const where = whereWords(shown);
  const base = { runner, what: runner, counts: countWords(lang, counts), code: evidence.exitCode ?? "?", where };
  const words = (key: TextKey, args: PhraseArgs | undefined) => say(lang, phrase(key, { ...base, ...args }));
  const summary = words(finding.summary, finding.args);
  return {
    ok: finding.type === "pass",
    type: finding.type,
    command: evidence.command,
    exit_code: evidence.exitCode,
    summary: copied(summary.replace(/\s*\n\s*/g, " ").slice(0, 300)),
    counts,
    details: shown,
    suggestion: finding.advice === null ? "" : words(finding.advice, finding.adviceArgs),
    fingerprint: fingerprintOf(finding.type, evidence.reading.failures.marks, finding.detail ?? ""),
    ...(finding.isByExitCode ? { evidence: "exit_code" } : {}),
    ...(isUncounted(evidence.reading, finding) ? { passed_uncounted: true } : {}),
  };
}

function isUncounted({ counts, hasPassedBeside }: OutputReading, { type }: Finding): boolean {
  return hasPassedBeside === true && type !== "pass" && (counts.passed ?? 0) === 0;
}

function find(evidence: Evidence, details: readonly VerificationDetail[]): Finding {
  const { reading, exitCode, timedOut } = evidence;
  if (timedOut) return late(reading);
  const broken = Math.max(brokenIn(reading.counts), reading.failures.total);
  if (exitCode === 0) return atZero(evidence, broken, details);
  const isNamed = brokenIn(reading.counts) > 0 || details.some(({ test }) => test !== null);
  if (reading.isLoose && !isNamed) return unread(evidence, details);
  if (reading.failures.total > 0) return failed(evidence, reading, details);
  return reading.isEmpty ? empty : unexplained(evidence, reading, broken);
}

const empty: Finding = { type: "environment", summary: "verify.result.no_tests", advice: "verify.advice.no_tests" };
const silent: Finding = { type: "environment", summary: "verify.result.silent", advice: "verify.advice.no_tests" };
const cut: Finding = { type: "environment", summary: "verify.result.cut", advice: "verify.advice.cut" };

function late(reading: OutputReading): Finding {
  const isCounted = !reading.isLoose || reading.counts.passed !== null;
  const isDone = reading.isSeen && reading.isComplete && isCounted;
  return isDone
    ? { type: "environment", summary: "verify.result.not_ended", advice: "verify.advice.not_ended", detail: "" }
    : { type: "timeout", summary: "verify.result.timeout", advice: "verify.advice.timeout", detail: "" };
}

/** No test is named or counted: the exit code reports a failure, and the output may tell why. */
function unread(evidence: Evidence, details: readonly VerificationDetail[]): Finding {
  const { exitCode, reading, command } = evidence;
  const trouble = evidence.trouble();
  if (trouble !== null) return troubled(evidence, trouble);
  if (reading.failures.total > 0) return failed(evidence, reading, details);
  if (reading.isEmpty) return empty;
  return {
    type: isKilled(exitCode) ? "environment" : "test_failure",
    summary: "verify.result.unreadable",
    args: { command: command.slice(0, 100) },
    advice: "verify.advice.look",
    detail: "",
    isByExitCode: true,
  };
}

function atZero({ reading, command }: Evidence, broken: number, details: readonly VerificationDetail[]): Finding {
  const contradiction: Finding = {
    type: "environment",
    summary: "verify.result.contradiction",
    advice: "verify.advice.contradiction",
  };
  // The summary reports failures and a script hides them: the summary counts.
  if (brokenIn(reading.counts) > 0) return broke(reading, details, broken);
  if (!reading.isComplete) return reading.isSeen ? cut : silent;
  if (reading.isContradictory || broken > 0) return contradiction;
  if (reading.isEmpty || hasRunNothing(reading)) return empty;
  const isCounted = reading.counts.passed !== null && reading.counts.passed > 0;
  if (reading.isLoose && !isCounted) {
    // Without a command, the output was not produced by the project's own command.
    if (command === "") return silent;
    return { type: "pass", summary: "verify.result.exit_zero", advice: null, isByExitCode: true };
  }
  return { type: "pass", summary: isCounted ? "verify.result.counts" : "verify.result.passed", advice: null };
}

function hasRunNothing({ counts, passedUncounted }: OutputReading): boolean {
  return (counts.passed ?? 0) === 0 && brokenIn(counts) === 0 && !passedUncounted;
}

function failed(evidence: Evidence, reading: OutputReading, details: readonly VerificationDetail[]): Finding {
  const { kinds, total } = reading.failures;
  if (kinds.missing === total) {
    const missing = evidence.install(details[0]?.error ?? "");
    const what = missing?.what ?? (evidence.trouble()?.what || headOf(details));
    return { type: "environment", summary: "verify.result.missing", args: { what }, ...toInstall(what, missing?.how) };
  }
  if (kinds.lint === 0 && kinds.build === 0 && details.every(({ error }) => isDenied(error))) {
    const what = headOf(details);
    return {
      type: "environment",
      summary: "verify.result.environment",
      args: { what },
      advice: "verify.advice.denied",
    };
  }
  const finding = broke(reading, details, total);
  if (reading.isLoose && reading.counts.failed === null && finding.type === "test_failure") {
    return { ...finding, summary: "verify.result.exit_failed", args: { what: headOf(details) }, isByExitCode: true };
  }
  if (reading.isComplete && brokenIn(reading.counts) === 0 && finding.type === "test_failure") {
    return { ...finding, summary: "verify.result.despite", args: { what: headOf(details) } };
  }
  if (reading.isComplete || finding.type !== "test_failure") return finding;
  return { ...finding, summary: "verify.result.cut_failed", args: { n: total } };
}

function headOf(details: readonly VerificationDetail[]): string {
  return details[0]?.error.split("\n", 1)[0] ?? "";
}

function broke(reading: OutputReading, details: readonly VerificationDetail[], n: number): Finding {
  const { kinds } = reading.failures;
  const isPlaced = details.some(({ file, test }) => file !== null || test !== null);
  const advice = isPlaced ? "verify.advice.fix" : "verify.advice.look";
  if (kinds.test > 0 || kinds.build + kinds.lint === 0) {
    return { type: "test_failure", summary: "verify.result.counts", advice, detail: "" };
  }
  if (kinds.build > 0) return { type: "build_failure", summary: "verify.result.build", args: { n }, advice };
  return { type: "lint_failure", summary: "verify.result.lint", args: { n }, advice };
}

function unexplained(evidence: Evidence, reading: OutputReading, broken: number): Finding {
  if (broken > 0) return broke(reading, [], broken);
  const trouble = evidence.trouble();
  if (trouble !== null) return troubled(evidence, trouble);
  if (reading.isComplete && reading.isSeen && hasRunNothing(reading)) return empty;
  if (isKilled(evidence.exitCode)) return { ...cut, detail: "" };
  return { type: "test_failure", summary: "verify.result.unnamed", advice: "verify.advice.look", detail: "" };
}

function troubled(evidence: Evidence, { what, advice, line }: RunTrouble): Finding {
  const isInstall = advice === "verify.advice.install";
  const isName = what !== "" && (isInstall || advice === "verify.advice.install_runner");
  const summary = isName ? "verify.result.missing" : "verify.result.environment";
  const how = isInstall
    ? toInstall(what, evidence.install(line)?.how)
    : { advice, ...(what === "" ? {} : { adviceArgs: { what } }) };
  return { type: "environment", summary, detail: line, args: { what: isName ? what : line }, ...how };
}

function toInstall(what: string, how: string | null | undefined): Pick<Finding, "advice" | "adviceArgs"> {
  const args = what === "" ? {} : { what };
  if (how === null || how === undefined) return { advice: "verify.advice.install", adviceArgs: args };
  return { advice: "verify.advice.install_with", adviceArgs: { ...args, how } };
}

/** Ended from outside, by a signal or for lack of memory. A crash is the program's own. */
function isKilled(exitCode: number | null): boolean {
  return exitCode === null || [129, 130, 131, 137, 143].includes(exitCode);
}

/** A failed build ran no tests. */
function countsFor(type: Type, reading: OutputReading): VerificationCounts {
  const { counts } = reading;
  if (type !== "build_failure" || reading.passedUncounted) return counts;
  return reading.failures.kinds.build > 0 && counts.passed === null && counts.failed !== null
    ? { ...counts, passed: 0 }
    : counts;
}

function detailsOf({ failures }: OutputReading): readonly VerificationDetail[] {
  return failures.kept.map(({ file, line, error, context, test }) => ({
    file: file === null ? null : copied(file),
    line: line !== null && Number.isSafeInteger(line) && line > 0 ? line : null,
    error: copied(error),
    context: copied(context),
    test: test === null ? null : copied(test.slice(0, 500)),
  }));
}

function bare(line: string, tail: string): VerificationDetail {
  return { file: null, line: null, error: copied(line || tail), context: line === "" ? "" : copied(tail), test: null };
}

/** A slice would keep the whole output in memory as long as the result lives. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

const parts = [
  ["passed", "verify.count.passed"],
  ["failed", "verify.count.failed"],
  ["errors", "verify.count.errors"],
  ["skipped", "verify.count.skipped"],
  ["todo", "verify.count.todo"],
] as const satisfies readonly (readonly [keyof VerificationCounts, TextKey])[];

function countWords(lang: Lang, counts: VerificationCounts): string {
  const words = parts.flatMap(([key, text]) => {
    const n = counts[key];
    if (n === null || (n === 0 && key !== "passed")) return [];
    return say(lang, phrase(key === "errors" && n === 1 ? "verify.count.error" : text, { n }));
  });
  const nothing = say(lang, phrase("verify.result.nothing_said"));
  return words.length === 0 ? nothing : words.join(say(lang, phrase("verify.count.joint")));
}

function whereWords(details: readonly VerificationDetail[]): string {
  const one = details.find(({ file }) => file !== null) ?? details[0];
  if (one === undefined) return "";
  if (one.file === null) return one.test ?? (one.error.split("\n", 1)[0] ?? "").slice(0, 200);
  return one.line === null ? one.file : `${one.file}:${one.line}`;
}
