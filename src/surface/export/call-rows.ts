import { callTarget } from "../../command/text/call-target.ts";
import type { FileChange, Usage } from "../../contract/message.ts";
import type { TaskSummary } from "../../contract/task.ts";
import { type Lang, type Phrase, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { CallPiece } from "./narrate.ts";
import { shownCost } from "./trace-text.ts";
import { oneLine } from "./visible.ts";

/** Splits arguments: long texts become blocks of their own, the rest is one JSON value. */
export function argumentParts(input: unknown): {
  readonly rest: string;
  readonly texts: readonly (readonly [name: string, text: string])[];
} {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return { rest: json(input), texts: [] };
  const isText = (value: unknown): value is string => typeof value === "string" && value.includes("\n");
  const entries = Object.entries(input);
  const rest = Object.fromEntries(entries.filter(([, value]) => !isText(value)));
  return {
    rest: Object.keys(rest).length === 0 ? "" : json(rest),
    texts: entries.flatMap(([name, value]) => (isText(value) ? [[name, value] as const] : [])),
  };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "null";
}

export function callTitle({ call, result }: CallPiece, lang: Lang): string {
  const status = result === null ? say(lang, phrase("export.open")) : result.status;
  const about = callTarget(call.input);
  return `${oneLine(call.tool)}${about === "" ? "" : ` ${about}`} – ${status}`;
}

export function callFacts({ decision, answer, result }: CallPiece): readonly Phrase[] {
  const facts: Phrase[] = [];
  if (decision) facts.push(phrase("export.decided", { decision: decision.decision }), ...decision.reasons);
  if (answer) {
    facts.push(phrase("export.answered", { answer: answer.answer, by: answer.by }));
    if (answer.words !== "") facts.push(phrase("export.words", { words: answer.words }));
  }
  if (!result) return facts;
  const code = result.data?.exit_code ?? null;
  if (code !== null) facts.push(phrase("export.exit_code", { code }));
  facts.push(phrase("export.ms", { ms: result.ms }));
  if (result.error) facts.push(result.error.text);
  return facts;
}

export function changeLine({ path, before, after }: FileChange): string {
  const mark = before === null ? "A" : after === null ? "D" : "M";
  const size = (stamp: FileChange["before"]): string => (stamp === null ? "–" : String(stamp.size));
  return `${mark} ${oneLine(path)} (${size(before)} → ${size(after)} B)`;
}

/** The end of a task, one fact per line, without the model's words: they are in its last reply. */
export function summaryLines(summary: TaskSummary, usage: Usage, cost: number | null, lang: Lang): readonly string[] {
  const { outcome, stop_reason: stop, changed_files: files, commands, verification, risks, next_steps: next } = summary;
  const list = (key: TextKey, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${say(lang, phrase(key))}: ${items.join("; ")}`];
  const { input, output, cachedInput: cached } = usage;
  return [
    say(lang, phrase("export.ended", { outcome: phrase(`workflow.outcome.word.${outcome}`), stop })),
    ...list(
      "export.changed",
      files.map(({ path, change }) => `${change} ${path}`),
    ),
    ...list(
      "export.commands",
      commands.map(
        ({ command, status, exit_code: code }) => `${command} (${status}${code === null ? "" : ` ${code}`})`,
      ),
    ),
    ...list("export.verification", [verification.reason]),
    ...list("export.risks", risks),
    ...list("export.next", next),
    `${say(lang, phrase("export.tokens", { input, cached, output }))}${shownCost(cost)}`,
  ];
}
