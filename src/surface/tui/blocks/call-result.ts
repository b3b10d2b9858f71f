import { describe } from "../../../command/text/answer.ts";
import { callText, untrackedText } from "../../../command/text/call-text.ts";
import type { DiffData } from "../../../contract/diff.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import type { Call, CallResult } from "../../../contract/message.ts";
import type { ResultData } from "../../../contract/result-data.ts";
import { say } from "../../../contract/text/catalogue.ts";
import { clean, oneLine, signed, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted, shownCount, withKey } from "../terminal/measure.ts";
import { checkFacts, failureTable } from "./checks.ts";
import { diffLines } from "./diff.ts";
import type { FileCount } from "./diff-rows.ts";
import { excerptLines, screenText } from "./output.ts";

/** The origin of the call: the model, its plan, a check after its work, or the user with `!` or a slash command. */
export type CalledBy = "model" | "plan" | "check" | "shell" | "tool";

export interface SettledCall {
  readonly call: Call;
  readonly result: CallResult;
  readonly by: CalledBy;
  readonly words: string;
  readonly key: string;
}

export function resultFacts(look: Look, result: CallResult, by: CalledBy): string {
  const { data = {} } = result;
  const { verification: check, exit_code: code = null } = data;
  if (check) return checkFacts(look, check);
  if (code !== null && (code !== 0 || by === "shell")) return words(look, "block.exit_code", { code });
  return result.status === "done" ? dataFacts(look, data, result.output) : "";
}

function dataFacts(look: Look, data: ResultData, output: string): string {
  const { matches, files, first, last, total = null, width, height, job, more } = data;
  if (width !== undefined && height !== undefined) return words(look, "block.image", { size: `${width}×${height}` });
  if (matches !== undefined) return countFacts(look, "block.matches.n", matches, more);
  if (typeof files === "number") return countFacts(look, "block.files.n", files, more);
  if (first !== undefined && last !== undefined) return lineFacts(look, first, last, total);
  if (total !== null) return counted(look, "block.entries.n", total);
  if (job !== undefined) return words(look, "block.background", { id: oneLine(job) });
  return typeof data.url === "string" ? words(look, "block.chars", { n: shownCount(output.length) }) : "";
}

function lineFacts(look: Look, first: number, last: number, total: number | null): string {
  if (first <= 1 && (total === null || last >= total)) return counted(look, "block.lines.n", last);
  return words(look, total === null ? "block.part" : "block.part_of", { first, last, total: total ?? "" });
}

function countFacts(look: Look, key: "block.matches.n" | "block.files.n", n: number, more: unknown): string {
  const isMore = more === true || (typeof more === "number" && more > 0);
  return isMore ? words(look, key, { n: `${n}+` }) : counted(look, key, n);
}

export function changeFacts(counts: readonly FileCount[]): string {
  const sum = (of: "added" | "removed"): number => counts.reduce((all, one) => all + one[of], 0);
  const [added, removed] = [sum("added"), sum("removed")];
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(" ");
}

/** Everything below the line except the diff and the lists. */
export function resultBody(look: Look, settled: SettledCall): readonly string[] {
  const { call, result, by, key } = settled;
  const check = result.data?.verification;
  // The line says that it was denied; the user knows by whom.
  if (result.error?.text.key.startsWith("approval.refused")) return quotedLines(look, settled.words);
  if (check && (check.ok || check.details.length > 0)) return failureTable(look, check, key);
  if (rawOutputOf(result).isDrawn)
    return [...commandLines(look, settled), ...errorLines(look, result.error ?? null, false)];
  if (result.error && result.status !== "done") return errorLines(look, result.error, by !== "model");
  if (call.role === "asks" && settled.words !== "") return answerLines(look, settled);
  if (by !== "tool") return [];
  if (call.role === "compares" && result.data?.diff) return userDiff(look, result.data as DiffData, key);
  return excerptLines(look, clean(callText(look.lang, { output: result.output, data: result.data ?? null })), {
    ...{ ...ends, key },
  });
}

/** Raw output; `isDrawn`: it was written for a terminal. */
export function rawOutputOf(result: CallResult): { readonly text: string; readonly isDrawn: boolean } {
  const { stdout, stderr } = result.data ?? {};
  if (stdout === undefined || stderr === undefined) return { text: result.output, isDrawn: false };
  const isBoth = stdout !== "" && stderr !== "";
  const text = isBoth && !stdout.endsWith("\n") ? `${stdout}\n${stderr}` : `${stdout}${stderr}`;
  return { text, isDrawn: true };
}

const excerpts = {
  ...{ shell: { head: 10, tail: 30 }, tool: { head: 10, tail: 30 } },
  ...{ failed: { head: 2, tail: 8 }, done: { head: 2, tail: 3 } },
} as const;

function commandLines(look: Look, { result, by, key }: SettledCall): readonly string[] {
  const kind = by === "shell" || by === "tool" ? by : result.status === "done" ? "done" : "failed";
  return by === "shell"
    ? streamsApart(look, result, { ...excerpts.shell, key })
    : excerptLines(look, screenText(rawOutputOf(result).text), { ...excerpts[kind], key });
}

/** IN-4: stdout and stderr are shown separately. */
function streamsApart(look: Look, result: CallResult, shape: Parameters<typeof excerptLines>[2]): readonly string[] {
  return (["stdout", "stderr"] as const).flatMap((name) => {
    const lines = excerptLines(look, screenText(result.data?.[name] ?? ""), shape);
    return lines.length === 0 ? [] : [`  ${look.theme.dim(`[${name}]`)}`, ...lines];
  });
}

const maxDiff = 400;
const ends = { head: 30, tail: 10 } as const;

/** SL-2: the changed files, the diff, and the untracked files. */
function userDiff(look: Look, { stat, diff, untracked }: DiffData, key: string): readonly string[] {
  const lines = diffLines(diff, look.width() - 2, look.theme, { most: maxDiff + 1 });
  const shown = lines.slice(0, maxDiff).map((line) => `  ${line}`);
  const more =
    lines.length > maxDiff
      ? wrap(look.theme.dim(withKey(look, words(look, "block.more_key"), key)), look.width(), "  ")
      : [];
  const unknown = untracked.length === 0 ? "" : untrackedText(look.lang, untracked);
  return [
    ...excerptLines(look, clean(stat), { ...ends, key }),
    "",
    ...shown,
    ...more,
    ...excerptLines(look, unknown, { ...ends, key }),
  ];
}

/** `isAdvised` adds what to do about the error, for whoever asked for the call. */
export function errorLines(look: Look, error: ErrorInfo | null, isAdvised: boolean): readonly string[] {
  // The status on the call's line says that it was cancelled.
  if (error === null || error.code === "E_CANCELLED") return [];
  const trace = error.traceId ? ` ${look.theme.dim(`[${oneLine(error.traceId)}]`)}` : "";
  const text = isAdvised ? clean(describe(look.lang, error)) : `${oneLine(say(look.lang, error.text))}${trace}`;
  return text
    .split("\n")
    .flatMap((line) => wrap(line, look.width(), "  "))
    .slice(0, 12);
}

function answerLines(look: Look, { result, words: answer }: SettledCall): readonly string[] {
  const { questions } = result.data ?? {};
  const asked = Array.isArray(questions) ? (questions as readonly { readonly question?: unknown }[]) : [];
  const texts = asked.flatMap(({ question }) => (typeof question === "string" ? [oneLine(question)] : []));
  // An answer to several questions repeats them.
  const asks = texts.filter((text) => !oneLine(answer).includes(text));
  return [...asks.flatMap((text) => wrap(look.theme.dim(text), look.width(), "  ")), ...quotedLines(look, answer)];
}

function quotedLines(look: Look, answer: string): readonly string[] {
  return answer.trim() === "" ? [] : signed(clean(answer).trimEnd(), look.width(), `  ${look.theme.accent(">")} `);
}
