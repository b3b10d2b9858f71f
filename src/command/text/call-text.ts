import type { DiffData } from "../../contract/diff.ts";
import type { ResultData } from "../../contract/result-data.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { verificationLines } from "./verification.ts";

interface Shown {
  readonly output: string;
  readonly data: ResultData | null;
}

/** What a call that a person asked for came to, in their language where we know more of it than its output. */
export function callText(lang: Lang, { output, data }: Shown): string {
  if (data?.verification) return verificationLines(lang, data.verification).join("\n");
  if (data?.said) return data.said.map((one) => say(lang, one)).join("\n");
  return data !== null && "untracked" in data && "diff" in data ? diffText(lang, data as DiffData) : output;
}

export function untrackedText(lang: Lang, untracked: readonly string[]): string {
  const head = untracked.length === 0 ? [] : [say(lang, phrase("workflow.diff.untracked"))];
  return [...head, ...untracked.map((name) => `  ${visible(name)}`)].join("\n");
}

/** IN-4: a command that the person ran, whole, its two streams apart. */
export function commandText(lang: Lang, { output, data }: Shown): string {
  const { command = "", exit_code: code = null, stdout, stderr } = data ?? {};
  if (stdout === undefined || stderr === undefined) return output;
  // Without a code it was cancelled, and the first line says so.
  const [first = ""] = output.split("\n", 1);
  const head = code === null ? first : say(lang, phrase("block.exit_code", { code }));
  const streams = Object.entries({ stdout, stderr }).filter(([, text]) => text !== "");
  const blocks = streams.map(([name, text]) => `[${name}]\n${text.replace(/\n$/, "")}`);
  return [`[COMMAND] ${command}`, head, ...blocks].join("\n");
}

/** Whole: the output that a model would get is bounded. */
function diffText(lang: Lang, { stat, diff, untracked }: DiffData): string {
  const names = untrackedText(lang, untracked);
  const blocks = [stat.trimEnd(), diff.trimEnd(), names].filter((block) => block !== "");
  return blocks.length === 0 ? say(lang, phrase("workflow.diff.none")) : blocks.join("\n\n");
}
