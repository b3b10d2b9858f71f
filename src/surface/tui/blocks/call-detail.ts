import type { Call, CallResult } from "../../../contract/message.ts";
import { emptyLinesCounted, spelledOut } from "../../../contract/show/visible.ts";
import { type Phrase, say, type TextKey } from "../../../contract/text/catalogue.ts";
import { clean, oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { shownTime } from "../terminal/measure.ts";
import { errorLines, rawOutputOf } from "./call-result.ts";
import { checkDetail } from "./checks.ts";
import { diffText } from "./diff.ts";
import { rowsIn } from "./diff-rows.ts";
import { joined, type Lines, ready } from "./lines.ts";
import { LongText, readable, wordWrapped } from "./long-text.ts";
import { drawnText, screenText } from "./output.ts";

interface KnownCall {
  readonly call: Call;
  readonly result: CallResult | null;
  readonly reasons: readonly Phrase[];
  readonly answer: string;
  readonly diff: string | null;
  readonly output: string | null;
}

export function callDetail(look: Look, known: KnownCall, width: number): Lines {
  const { call, result, reasons, answer, diff } = known;
  const narrow: Look = { ...look, width: () => width };
  const few = (lines: readonly string[]): Lines => ready(lines, width);
  const part = (key: TextKey, lines: Lines): readonly Lines[] =>
    lines.count === 0 ? [] : [few(["", look.theme.bold(words(look, key))]), lines];
  const check = result?.data?.verification ?? null;
  const why = [...reasons.map((one) => clean(say(look.lang, one))), ...(answer === "" ? [] : [`> ${oneLine(answer)}`])];
  return joined([
    ...argumentTexts(call.input).map((text) => spelled(text, width)),
    ...part("block.detail.why", few(why.flatMap((text) => text.split("\n")))),
    ...part("block.detail.error", few(errorLines(narrow, result?.error ?? null, true))),
    ...(check ? part("block.detail.check", checkDetail(look, check, width)) : []),
    ...(diff === null ? [] : part("block.detail.diff", diffText(rowsIn(diff, maxDiff), width, look.theme))),
    ...part("block.detail.output", outputLines(known, width)),
    few(result === null || result.ms < 100 ? [] : ["", look.theme.dim(shownTime(look, result.ms))]),
  ]);
}

/** More lines would take too long to parse. */
const maxDiff = 20_000;

function outputLines({ output, result }: KnownCall, width: number): Lines {
  const { text, isDrawn } =
    output === null && result !== null ? rawOutputOf(result) : { text: output ?? "", isDrawn: false };
  const whole = withoutEnd(text);
  if (whole.length <= 10_000 && screenText(whole).trim() === "") return ready([], width);
  return isDrawn ? drawnText(whole, width) : readable(whole, width);
}

/** A loop, because a regular expression for trailing blank lines retries at every other line break. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end--;
  return text.slice(0, end);
}

function argumentTexts(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return [JSON.stringify(input) ?? ""];
  return Object.entries(input).map(([name, value]) => {
    const shown = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
    return `${name}:${shown.includes("\n") ? "\n" : " "}${shown}`;
  });
}

function spelled(text: string, width: number): Lines {
  return new LongText(emptyLinesCounted(text), width, { show: spelledOut, rows: wordWrapped(width) });
}
