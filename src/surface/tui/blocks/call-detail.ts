// All that is known of a call, for who wants to see it.
import type { Call, CallResult } from "../../../contract/message.ts";
import { type Phrase, say, type TextKey } from "../../../contract/text/catalogue.ts";
import { spelledOut } from "../../../contract/visible.ts";
import { clean, oneLine, wrap } from "../fit.ts";
import { type Look, words } from "../look.ts";
import { shownTime } from "../measure.ts";
import { errorLines, outputOf, verificationOf } from "./call-result.ts";
import { checkDetail } from "./checks.ts";
import { diffLines } from "./diff.ts";

interface Known {
  readonly call: Call;
  readonly result: CallResult | null;
  readonly reasons: readonly Phrase[];
  /** What the person said to it. */
  readonly answer: string;
  readonly diff: string | null;
  /** While it runs: what it has written so far, fit to be shown. */
  readonly output: string | null;
}

export function callDetail(look: Look, known: Known, width: number): readonly string[] {
  const { call, result, reasons, answer, diff } = known;
  const narrow: Look = { ...look, width: () => width };
  const text = (lines: string): readonly string[] => lines.split("\n").flatMap((line) => wrap(line, width));
  const part = (key: TextKey, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", look.theme.bold(words(look, key)), ...lines];
  const check = result ? verificationOf(result) : null;
  const output = known.output ?? (result ? outputOf(result) : "");
  const why = [...reasons.map((one) => clean(say(look.lang, one))), ...(answer === "" ? [] : [`> ${oneLine(answer)}`])];
  return [
    ...argumentLines(call.input).flatMap(text),
    ...part("block.detail.why", why.flatMap(text)),
    ...part("block.detail.error", errorLines(narrow, result?.error ?? null, true)),
    ...(check ? part("block.detail.check", checkDetail(look, check, width)) : []),
    ...(diff === null ? [] : part("block.detail.diff", diffLines(diff, width, look.theme, { most: maxDiff }))),
    ...(output.trim() === "" ? [] : part("block.detail.output", text(output.replace(/\n+$/, "")))),
    ...(result === null || result.ms < 100 ? [] : ["", look.theme.dim(shownTime(look, result.ms))]),
  ];
}

/** More would take seconds to lay out. */
const maxDiff = 20_000;

/** Each on lines of its own, as it is and in full. */
function argumentLines(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return [spelledOut(JSON.stringify(input) ?? "")];
  return Object.entries(input).map(([name, value]) => {
    const shown = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
    return spelledOut(`${name}:${shown.includes("\n") ? "\n" : " "}${shown}`);
  });
}
