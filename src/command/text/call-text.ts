import type { DiffData } from "../../contract/diff.ts";
import type { ResultData } from "../../contract/result-data.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { verificationLines } from "./verification.ts";

interface Shown {
  readonly output: string;
  readonly data: ResultData | null;
}

/** The result of a call that the user asked for: localized where its data allows it, else its raw output. */
export function callText(lang: Lang, { output, data }: Shown): string {
  if (data?.verification) return verificationLines(lang, data.verification).join("\n");
  if (data?.said) return data.said.map((one) => say(lang, one)).join("\n");
  return data !== null && "untracked" in data && "diff" in data ? diffText(lang, data as DiffData) : output;
}

export function untrackedText(lang: Lang, untracked: readonly string[]): string {
  const head = untracked.length === 0 ? [] : [say(lang, phrase("workflow.diff.untracked"))];
  return [...head, ...untracked.map((name) => `  ${visible(name)}`)].join("\n");
}

/** IN-4: a command that the user ran, in full, with stdout and stderr apart. */
export function commandText(lang: Lang, { output, data }: Shown): string {
  const { command = "", exit_code: code = null, stdout, stderr } = data ?? {};
  if (stdout === undefined || stderr === undefined) return output;
  // A command without an exit code was cancelled, and the first line of its output says so.
  const [first = ""] = output.split("\n", 1);
  const head = code === null ? first : say(lang, phrase("block.exit_code", { code }));
  const streams = Object.entries({ stdout, stderr }).filter(([, text]) => text !== "");
  const blocks = streams.map(([name, text]) => `[${name}]\n${text.replace(/\n$/, "")}`);
  return [`[COMMAND] ${command}`, head, ...blocks].join("\n");
}

/** In full; only the model gets a bounded copy. */
function diffText(lang: Lang, { stat, diff, untracked }: DiffData): string {
  const names = untrackedText(lang, untracked);
  const blocks = [stat.trimEnd(), diff.trimEnd(), names].filter((block) => block !== "");
  return blocks.length === 0 ? say(lang, phrase("workflow.diff.none")) : blocks.join("\n\n");
}
